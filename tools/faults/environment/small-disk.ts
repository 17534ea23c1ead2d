import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ScenarioSkipped } from '../scenario.js';

const run = promisify(execFile);

/** A small file system in memory that can be filled and freed. */
export class SmallDisk {
  private constructor(
    readonly folder: string,
    private readonly filler: string,
  ) {}

  /**
   * Mounts the disk at `folder`.
   * @throws ScenarioSkipped without the right to mount: needs Linux and root
   */
  static async mount(folder: string, megabytes: number): Promise<SmallDisk> {
    await mkdir(folder, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]).catch(
      (error: unknown) => {
        throw new ScenarioSkipped(
          `cannot mount a small disk, which needs Linux and root: ${error instanceof Error ? error.message.trim() : String(error)}`,
        );
      },
    );
    return new SmallDisk(folder, join(folder, 'filler'));
  }

  /** Fills the disk. Returns the megabytes written. */
  async fill(): Promise<number> {
    const file = await open(this.filler, 'a');
    let bytes = 0;
    try {
      for (let chunk = Buffer.alloc(1_048_576); chunk.length > 0;) {
        try {
          bytes += (await file.write(chunk)).bytesWritten;
        } catch {
          chunk = chunk.subarray(0, Math.floor(chunk.length / 2));
        }
      }
    } finally {
      await file.close();
    }
    return Math.round(bytes / 1_048_576);
  }

  /** Frees the space. */
  async free(): Promise<void> {
    await rm(this.filler, { force: true });
  }

  async unmount(): Promise<void> {
    // Lazy: a killed server may still hold a file.
    await run('umount', ['-l', this.folder]);
  }
}
