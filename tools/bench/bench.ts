import type { Backend } from '../harness/options.js';
import { measureNoopJobs, type NoopJobs } from './benches/noop-jobs.js';
import type { CpuUse } from './cpu/cpu-watch.js';
import type { BenchEnvironment } from './environment/environment.js';
import { Installation } from './environment/installation.js';
import type { BenchResult } from './result.js';

/** A benchmark. It yields each result as soon as it is measured. */
export interface Bench {
  readonly name: string;
  /** False: runs on the first backend only, because the backend does not matter. */
  readonly everyBackend: boolean;
  run(context: BenchContext): AsyncGenerator<BenchResult>;
}

/** A result before the context and the CPU use are added. */
interface Measurement extends Pick<BenchResult, 'bench' | 'variant' | 'figures' | 'deliveries'> {
  readonly cpu: CpuUse;
  /** Default: the time over which CPU use was measured. */
  readonly seconds?: number;
  readonly notes?: readonly string[];
}

/** A process that used this share of one core, in percent, may be the limit of the measurement. */
const WHOLE_CORE_PERCENT = 90;

/** How benches run. */
export interface BenchOptions {
  /** Factor on every count and duration. */
  readonly scale: number;
  /** Whether processes are measured from their first event on. */
  readonly cold: boolean;
  /** Folder for CPU profiles; null: none. */
  readonly profile: string | null;
}

/** Everything that a bench uses on one backend. */
export class BenchContext {
  private noop: NoopJobs | undefined;

  constructor(
    readonly environment: BenchEnvironment,
    readonly backend: Backend,
    private readonly options: BenchOptions,
    /** Writes a line of progress to standard error. */
    readonly log: (text: string) => void,
  ) {}

  /** Scales a count, and returns at least `least`. */
  scaled(full: number, least = 1): number {
    return Math.max(least, Math.round(full * this.options.scale));
  }

  /** Returns an amount of warm-up: none for a cold run. */
  warmUp(amount: number): number {
    return this.options.cold ? 0 : amount;
  }

  /** Runs `work` on a new installation and closes it afterwards. */
  async *withInstallation<T>(
    work: (installation: Installation) => AsyncGenerator<T>,
    { recording = false }: { readonly recording?: boolean } = {},
  ): AsyncGenerator<T> {
    const { environment, backend } = this;
    const { profile } = this.options;
    const sandbox = recording ? environment.recording : environment.counting;
    const installation = await Installation.open(environment, { backend, sandbox, profile });
    try {
      yield* work(installation);
    } finally {
      await installation.close();
    }
  }

  /** Measures BullMQ's own no-op jobs on this backend, once in a run: the reference for drains. */
  async noopJobs(installation: Installation): Promise<NoopJobs> {
    this.noop ??= await measureNoopJobs(installation, this.scaled(50_000, 1_000));
    return this.noop;
  }

  /** Builds a result. A note says if the sandbox or the bench itself may have been the limit. */
  result({ cpu, seconds = cpu.wallSeconds, notes = [], ...rest }: Measurement): BenchResult {
    const busy = ['sandbox', 'bench'].filter((name) => (cpu.percent[name] ?? 0) > WHOLE_CORE_PERCENT);
    return {
      ...rest,
      backend: this.backend,
      cpu_percent: cpu.percent,
      seconds,
      notes: [...busy.map((name) => `The ${name} used a whole core and may be what was measured.`), ...notes],
    };
  }
}
