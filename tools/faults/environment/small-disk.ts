import { execFile } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotPlay } from '../scenario.js';

const run = promisify(execFile);

/** A file system of a few megabytes, in memory, that can be filled to its last byte and be given its room back. */
export class SmallDisk {
  private constructor(
    readonly folder: string,
    private readonly filler: string,
  ) {}

  /**
   * Mounts one at `folder`.
   * @throws CannotPlay where that is not allowed: it takes Linux, and root or its right to mount
   */
  static async mount(folder: string, megabytes: number): Promise<SmallDisk> {
    await mkdir(folder, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]).catch(
      (error: unknown) => {
        throw new CannotPlay(
          `a small disk cannot be mounted here (it takes Linux, and root): ${error instanceof Error ? error.message.trim() : String(error)}`,
        );
      },
    );
    return new SmallDisk(folder, join(folder, 'filler'));
  }

  /** Writes until there is no room left; gives the megabytes that it took. */
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

  /** Gives the room back. */
  async free(): Promise<void> {
    await rm(this.filler, { force: true });
  }

  /** Megabytes that can still be written. */
  async left(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder);
    return Math.round((bavail * bsize) / 1_048_576);
  }

  async unmount(): Promise<void> {
    // Lazily: a server that was killed a moment ago may still hold a file.
    await run('umount', ['-l', this.folder]);
  }
}
