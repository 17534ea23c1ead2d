import { residentMegabytes } from '../../harness/proc.js';

const EVERY_MS = 200;

/** Samples the resident memory of a process. */
export class MemoryWatch {
  private readonly samples: number[] = [];
  private readonly timer: NodeJS.Timeout;

  /** @param pid null takes no samples */
  constructor(pid: number | null) {
    this.timer = setInterval(() => {
      if (pid !== null) void residentMegabytes(pid).then((megabytes) => this.samples.push(megabytes));
    }, EVERY_MS);
  }

  /** Stops. Returns the samples in MB of 10^6 bytes, in order. */
  stop(): readonly number[] {
    clearInterval(this.timer);
    return this.samples.filter((megabytes) => !Number.isNaN(megabytes));
  }
}
