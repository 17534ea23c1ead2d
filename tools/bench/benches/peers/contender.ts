import { subscribe } from '../../../harness/destinations.js';
import { PrintingProgram } from '../../../harness/printing-program.js';
import type { BenchContext } from '../../bench.js';
import { fill, release } from '../../environment/backlog.js';
import { createStreams, streamArn } from '../../environment/destinations.js';
import type { Installation } from '../../environment/installation.js';
import { apiHeaders } from '../../load/load.js';

/**
 * Who is measured: Waybill; a job for each event and destination with one call each; the same with calls of many.
 */
export const contenders = ['waybill', 'plain', 'batched'] as const;
export type ContenderName = (typeof contenders)[number];

/** What each contender promises; docs/benchmarks.md shows it beside the figures. */
export const guarantees: Readonly<Record<ContenderName, string>> = {
  waybill: 'at least once from the commit on; in order for each resource; a record of each delivery and attempt',
  plain:
    'at least once from the job on, up to the last second of Redis; an event without a job is lost; no order; no record',
  batched: 'as the plain worker',
};

/** A contender with its destinations. Its publisher runs, its worker does not yet. */
export interface Contender {
  readonly installation: Installation;
  readonly apiUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Process ids by role, for a measurement of CPU use. */
  pids(): Record<string, number | null>;
  startWorker(): Promise<void>;
  /** Ends the worker at once, as the system ends a process without memory. */
  killWorker(): Promise<void>;
  /** Writes events for the first destination, which wait until `release`. */
  fill(events: number, ofOneResource?: boolean): Promise<void>;
  /** Returns the time, in milliseconds since the epoch. */
  release(): Promise<number>;
}

/** Runs `work` with a contender that has so many destinations. */
export async function* withContender<T>(
  context: BenchContext,
  name: ContenderName,
  { destinations = 1, recording = false }: { readonly destinations?: number; readonly recording?: boolean },
  work: (contender: Contender) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  yield* context.withInstallation(
    async function* (installation) {
      if (name === 'waybill') {
        yield* work(await waybill(installation, destinations));
        return;
      }
      await installation.stop('api');
      const peer = await Peer.start(installation, name, destinations);
      try {
        yield* work(peer);
      } finally {
        await peer.close();
      }
    },
    { recording },
  );
}

async function waybill(installation: Installation, destinations: number): Promise<Contender> {
  const ids = await createStreams(installation, destinations);
  await subscribe(installation.client, ids);
  return {
    installation,
    apiUrl: installation.apiUrl,
    headers: apiHeaders(installation),
    pids: () => installation.pids(),
    startWorker: () => installation.start('worker'),
    killWorker: () => installation.kill('worker'),
    fill: (events, ofOneResource) => fill(installation, ids.slice(0, 1), events, ofOneResource),
    release: () => release(installation, ids.slice(0, 1)),
  };
}

/** What a team writes by itself, on the stores and the sandbox of an installation. */
class Peer implements Contender {
  private worker: PrintingProgram | null = null;

  private constructor(
    readonly installation: Installation,
    private readonly mode: 'plain' | 'batched',
    private readonly store: readonly string[],
    private readonly publisher: PrintingProgram,
  ) {}

  static async start(installation: Installation, mode: 'plain' | 'batched', destinations: number): Promise<Peer> {
    const { environment, options, prefix, connectionString } = installation;
    const url = options.backend === 'redis' ? environment.redis?.url : connectionString;
    if (url === undefined) throw new Error('The environment has no Redis.');
    const store = [options.backend, url, prefix];
    const arns = Array.from({ length: destinations }, (_, index) => streamArn(index + 1)).join(',');
    const publisher = await PrintingProgram.start(peer('publisher'), [connectionString, ...store, arns]);
    return new Peer(installation, mode, store, publisher);
  }

  readonly headers = { 'user-agent': 'waybill-bench' };

  get apiUrl(): string {
    return this.publisher.line;
  }

  pids(): Record<string, number | null> {
    return {
      ...this.installation.pids(),
      api: this.publisher.pid,
      ...(this.worker && { worker: this.worker.pid }),
    };
  }

  async startWorker(): Promise<void> {
    const { environment } = this.installation.options.sandbox;
    this.worker = await PrintingProgram.start(peer('worker'), [this.mode, ...this.store], {
      ...environment,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    });
  }

  async killWorker(): Promise<void> {
    await this.worker?.stop('SIGKILL');
    this.worker = null;
  }

  async fill(events: number, ofOneResource = false): Promise<void> {
    await this.post('backlog', { events, ofOneResource });
  }

  async release(): Promise<number> {
    const startedAtMs = Date.now();
    await this.post('release', {});
    return startedAtMs;
  }

  async close(): Promise<void> {
    await this.worker?.stop();
    await this.publisher.stop();
  }

  private async post(path: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${this.apiUrl}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The publisher returned ${response.status}: ${await response.text()}`);
  }
}

const peer = (name: string): URL => new URL(`../../processes/peer-${name}.js`, import.meta.url);
