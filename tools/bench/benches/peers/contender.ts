import { subscribe } from '../../../harness/destinations.js';
import { PrintingProgram } from '../../../harness/printing-program.js';
import type { BenchContext } from '../../bench.js';
import { fill, release } from '../../environment/backlog.js';
import { createStreams, streamArn } from '../../environment/destinations.js';
import { bareHeaders, type Installation } from '../../environment/installation.js';
import type { Load } from '../../load/load.js';
import { publishedEvents, publishedType } from '../../load/published-events.js';

/**
 * Who is measured: Waybill with changes of a built-in resource; the same with published events; a job for each event
 * and destination with one call each; the same with calls of many.
 */
export const contenders = ['waybill', 'waybill_events', 'plain', 'batched'] as const;
export type ContenderName = (typeof contenders)[number];

/** What each contender promises; docs/benchmarks.md shows it beside the figures. */
export const guarantees: Readonly<Record<ContenderName, string>> = {
  waybill: 'at least once from the commit on; in order for each resource; a record of each delivery and attempt',
  waybill_events: 'as Waybill, from the response on',
  plain:
    'at least once from the job on, up to the last second of Redis; an event without a job is lost; no order; no record',
  batched: 'as the plain worker',
};

/** A contender with its destinations. Its publisher runs, its worker does not yet. */
export interface Contender {
  readonly installation: Installation;
  /** Opens the connections of a client that makes one change in each request. */
  openLoad(): Promise<Load>;
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
      if (name === 'waybill' || name === 'waybill_events') {
        yield* work(await waybill(installation, destinations, name === 'waybill_events'));
        return;
      }
      await installation.stop('api');
      yield* work(await Peer.start(installation, name, destinations));
    },
    { recording },
  );
}

async function waybill(installation: Installation, destinations: number, publishes: boolean): Promise<Contender> {
  const { client } = installation;
  const ids = await createStreams(installation, destinations);
  if (publishes) await client.create('/resource_types', { name: publishedType.name });
  await subscribe(client, ids, publishes ? [publishedType.eventType] : undefined);
  return {
    installation,
    openLoad: () => installation.openLoad(publishes ? publishedEvents(1, 32) : undefined),
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
    const { environment, options, prefix, connectionString, poolSize } = installation;
    const url = options.backend === 'redis' ? environment.redis?.url : connectionString;
    if (url === undefined) throw new Error('The environment has no Redis.');
    const store = [options.backend, url, prefix];
    const arns = Array.from({ length: destinations }, (_, index) => streamArn(index + 1)).join(',');
    const args = [connectionString, String(poolSize), ...store, arns];
    const publisher = await PrintingProgram.start(program('publisher'), args);
    const peer = new Peer(installation, mode, store, publisher);
    installation.opened.push(peer);
    return peer;
  }

  openLoad(): Promise<Load> {
    return this.installation.openLoad(undefined, this.publisher.line, bareHeaders);
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
    this.worker = await PrintingProgram.start(program('worker'), [this.mode, ...this.store], {
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
    const response = await fetch(`${this.publisher.line}/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`The publisher returned ${response.status}: ${await response.text()}`);
  }
}

const program = (name: string): URL => new URL(`../../processes/peer-${name}.js`, import.meta.url);
