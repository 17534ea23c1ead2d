import { residentMegabytes } from './proc.js';

const everyMs = 200;

/** Samples the resident memory of a process until stopped. */
export class MemoryWatch {
  readonly #samples: number[] = [];
  readonly #timer: NodeJS.Timeout;

  /** @param pid null (a process that does not run): nothing is sampled */
  constructor(pid: number | null) {
    this.#timer = setInterval(() => {
      if (pid !== null) void residentMegabytes(pid).then((megabytes) => this.#samples.push(megabytes));
    }, everyMs);
  }

  /** The samples so far, in MB of 10^6 bytes, in order. */
  stop(): readonly number[] {
    clearInterval(this.#timer);
    return this.#samples.filter((megabytes) => !Number.isNaN(megabytes));
  }
}
