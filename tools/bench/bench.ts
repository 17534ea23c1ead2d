import type { Ground } from './environment/environment.js';
import { Stage } from './environment/stage.js';
import type { Backend, BenchResult } from './result.js';
import { measureNoopJobs, type NoopJobs } from './benches/noop-jobs.js';

/** One bench: what it measures is yielded as it is found. */
export interface Bench {
  readonly name: string;
  /** Whether it says anything on each queue backend; otherwise it runs on the first alone. */
  readonly everyBackend: boolean;
  run(context: BenchContext): AsyncGenerator<BenchResult>;
}

/** What a bench of one run works with. */
export class BenchContext {
  private noop: NoopJobs | undefined;

  constructor(
    readonly ground: Ground,
    readonly backend: Backend,
    private readonly scale: number,
    private readonly profile: string | null,
    /** Says what is going on, on standard error. */
    readonly say: (text: string) => void,
  ) {}

  /** A count at full scale as it is in this run. */
  scaled(full: number, least = 1): number {
    return Math.max(least, Math.round(full * this.scale));
  }

  /** Runs `work` on an installation of its own, and ends it whatever happens. */
  async *onStage<T>(
    work: (stage: Stage) => AsyncGenerator<T>,
    { recording = false }: { readonly recording?: boolean } = {},
  ): AsyncGenerator<T> {
    const { ground, backend, profile } = this;
    const sandbox = recording ? ground.recording : ground.counting;
    const stage = await Stage.open(ground, { backend, sandbox, profile });
    try {
      yield* work(stage);
    } finally {
      await stage.close();
    }
  }

  /** BullMQ's own no-op jobs a second on this backend, measured once in a run: what drains are compared with. */
  async noopJobs(stage: Stage): Promise<NoopJobs> {
    this.noop ??= await measureNoopJobs(stage, this.scaled(50_000, 1_000));
    return this.noop;
  }
}

/** What is said of a process that used a whole core and is not what is measured: its limit may be the figure. */
export function notesOn(cpu: Readonly<Record<string, number>>): readonly string[] {
  const wholeCore = 90;
  return ['sandbox', 'bench'].flatMap((name) =>
    (cpu[name] ?? 0) > wholeCore ? [`The ${name} used a whole core and may be what was measured.`] : [],
  );
}
