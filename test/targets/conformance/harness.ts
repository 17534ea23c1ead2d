import { type CallCount, type Fault, type ReceivedEvent, type Sandbox, startSandbox } from '@waybill/sandbox';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Connection, ConnectionContext, DeliverableEvent, Outcome } from '../../../src/targets/target.js';
import type { Subject } from './subject.js';

/** A running sandbox, and the operations of the cases on it. */
export interface Harness {
  readonly destinationId: string;
  /** Returns a new connection with the sandbox's settings. */
  connect(): Connection;
  /** Sends over a new connection, with a timeout of 200 seconds unless a signal is given. */
  send(events: readonly DeliverableEvent[], signal?: AbortSignal): Promise<readonly Outcome[]>;
  /** JSON of every event that the target has received in this case, in the order of arrival. */
  receivedJson(): readonly string[];
  /** Ids of the events that the target has received in this case. */
  receivedIds(): readonly string[];
  /** Number of calls that the target (not its token service) has received in this case. */
  calls(): number;
  /** Number of these calls that the target has refused. */
  refusedCalls(): number;
  script(fault: Omit<Fault, 'target'> & { target?: Fault['target'] }): () => void;
}

/** Longest time for a client to load on a busy machine, in milliseconds. */
const PREPARATION_MS = 120_000;

/** Starts a sandbox for the suite, sets its environment variables, and clears it before every case. */
export function harness<Config>(subject: Subject<Config>): Harness {
  const { kind } = subject.target;
  const inherited = { ...process.env };
  const connections: Connection[] = [];
  let sandbox: Sandbox | undefined;
  let cases = 0;
  let callsBefore = 0;
  let refusedBefore = 0;

  const running = (): Sandbox => {
    if (!sandbox) throw new Error('The sandbox is not running: use the harness inside a case.');
    return sandbox;
  };
  const callsSoFar = (matches: (count: CallCount) => boolean = () => true): number =>
    running()
      .calls()
      .filter((count) => count.target === kind && matches(count))
      .reduce((sum, count) => sum + count.calls, 0);
  const refusedSoFar = (): number => callsSoFar(({ status }) => status >= 400);
  const destinationId = (): string => `ed_conformance${cases}`;
  const context = (): ConnectionContext => {
    const { environment } = running();
    return {
      destinationId: destinationId(),
      externalId: 'conformance-external-id',
      settings: {
        // Only the signal ends a call.
        sendTimeoutMs: 300_000,
        monitoringEndpoint: environment['MONITORING_ENDPOINT'],
        logIngestionEndpoint: environment['LOG_INGESTION_ENDPOINT'],
        logIngestionAuthority: environment['LOG_INGESTION_AUTHORITY'],
        logIngestionCaFile: environment['LOG_INGESTION_CA_FILE'],
      },
    };
  };
  const connect = (): Connection => {
    const connection = subject.target.connect(subject.config, context());
    connections.push(connection);
    return connection;
  };
  const text = (received: ReceivedEvent): string => subject.delivered?.(received) ?? received.body.replace(/\n$/, '');
  const receivedJson = (): string[] =>
    running()
      .received({ target: kind, address: subject.address(destinationId()) })
      .map((received) => text(received));

  beforeAll(async () => {
    const started = await startSandbox();
    sandbox = started;
    Object.assign(process.env, started.environment);
    await subject.target.loadClient();
  }, PREPARATION_MS);
  beforeEach(() => {
    cases += 1;
    running().clear();
    callsBefore = callsSoFar();
    refusedBefore = refusedSoFar();
  });
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    for (const name of Object.keys(sandbox?.environment ?? {})) delete process.env[name];
    Object.assign(process.env, inherited);
    await sandbox?.close();
  });

  return {
    get destinationId() {
      return destinationId();
    },
    connect,
    send: (events, signal = AbortSignal.timeout(200_000)) => connect().send(events, signal),
    receivedJson,
    receivedIds: () => receivedJson().map((json) => idOf(json)),
    calls: () => callsSoFar() - callsBefore,
    refusedCalls: () => refusedSoFar() - refusedBefore,
    script: (fault) => running().script({ target: kind, ...fault }),
  };
}

/** Returns the id of the event in a payload. */
export function idOf(json: string): string {
  const payload: unknown = JSON.parse(json);
  if (typeof payload !== 'object' || payload === null || !('event_id' in payload)) {
    throw new Error(`Not an event: ${json.slice(0, 200)}`);
  }
  return String(payload.event_id);
}
