import { AccessKeys, OPERATOR_ACCESS_KEY_ID, SANDBOX_SECRET_ACCESS_KEY } from './aws/credentials.js';
import { cloudwatchLogs } from './aws/cloudwatch-logs.js';
import { firehose } from './aws/firehose.js';
import { kinesis } from './aws/kinesis.js';
import { sts } from './aws/sts.js';
import { Answering } from './respond.js';
import { AskedWaits } from './asked-waits.js';
import { AccessTokens } from './azure/access-tokens.js';
import { entra } from './azure/entra.js';
import { logIngestion } from './azure/log-ingestion.js';
import { CallCounter } from './call-counter.js';
import { control, CONTROLS_PATH, type Controlled } from './controls.js';
import { datadog } from './datadog/datadog.js';
import { Listeners } from './listeners.js';
import { FaultBook, seededRandom } from './faults.js';
import type { Handler } from './listen.js';
import { ReceivedLog } from './received-log.js';
import type { Sandbox } from './sandbox-contract.js';
import { openAuthority } from './tls/authority.js';

export interface SandboxOptions {
  /** Port of the plain listener; 0, the default, takes a free one. */
  readonly httpPort?: number;
  /** Port of the TLS listener; 0, the default, takes a free one. */
  readonly tlsPort?: number;
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Name under which others reach the sandbox, such as `sandbox` in a compose file; named in its URLs and its certificate. */
  readonly publicHost?: string;
  /**
   * Folder for the authority's certificate (`ca.pem`), for others to trust. Its key is kept beside it (`ca-key.pem`), so that
   * the authority stays the same over restarts. Left out: a new authority in a temporary folder, removed at the end.
   */
  readonly authorityFolder?: string;
  /** Count what arrives and forget it: for benchmarks of millions of events. */
  readonly countOnly?: boolean;
  /** Seed of the chances that faults take; the same seed and calls give the same faults. Left out: another at each start. */
  readonly seed?: number;
}

/**
 * Starts a local server that speaks the wire protocols of the five targets and of their token services.
 * @throws the listener's error where a port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  const publicHost = options.publicHost;
  const hosts = ['localhost', '127.0.0.1', 'sandbox', ...(publicHost === undefined ? [] : [publicHost])];
  const authority = await openAuthority([...new Set(hosts)], options.authorityFolder);
  const log = new ReceivedLog({ retain: options.countOnly !== true });
  const calls = new CallCounter();
  const waits = new AskedWaits();
  const faults = new FaultBook(options.seed === undefined ? Math.random : seededRandom(options.seed));
  const keys = new AccessKeys();
  const tokens = new AccessTokens();
  const streams = new Set<string>();
  const protocols = [
    firehose(keys, log),
    kinesis(keys, log),
    cloudwatchLogs(keys, log, streams),
    datadog(log),
    logIngestion(tokens, log),
    entra(tokens),
    sts(keys),
  ];
  const answering = new Answering(protocols, faults, calls, waits);
  const handler: Handler = async (exchange, response) => {
    if (exchange.path.startsWith(CONTROLS_PATH)) await control(exchange, response, sandbox);
    else await answering.handle(exchange, response);
  };
  const doors = new Listeners();
  const close = async () => {
    await doors.close();
    await authority.dispose();
  };
  const open = async () => ({
    httpPort: await doors.open(handler, host, options.httpPort ?? 0),
    tlsPort: await doors.open(handler, host, options.tlsPort ?? 0, authority.server),
  });
  const { httpPort, tlsPort } = await open().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const url = `http://${publicHost ?? '127.0.0.1'}:${httpPort}`;
  const tlsUrl = `https://${publicHost ?? 'localhost'}:${tlsPort}`;
  const clearReceived = () => {
    log.clear();
    calls.clear();
    waits.clear();
    streams.clear();
  };

  const sandbox: Controlled = {
    url,
    tlsUrl,
    caFile: authority.caFile,
    ca: authority.ca,
    environment: environmentOf(url, tlsUrl, authority.caFile),
    received: (filter) => [...log.events(filter)],
    receivedCounts: () => log.counts(),
    assumedRoles: () => keys.assumedRoles(),
    calls: () => calls.counts(),
    earlyCalls: () => waits.counts(),
    goAway: () => doors.leave(),
    comeBack: () => doors.comeBack(),
    script: (fault) => faults.script(fault),
    clear: () => {
      clearReceived();
      faults.clear();
    },
    close,
    events: (filter) => log.events(filter),
    faults: () => faults.list(),
    clearFaults: () => faults.clear(),
    clearReceived,
  };
  return sandbox;
}

function environmentOf(url: string, tlsUrl: string, caFile: string): Readonly<Record<string, string>> {
  return {
    AWS_ENDPOINT_URL_FIREHOSE: url,
    AWS_ENDPOINT_URL_KINESIS: url,
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: url,
    AWS_ENDPOINT_URL_STS: url,
    AWS_ACCESS_KEY_ID: OPERATOR_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: SANDBOX_SECRET_ACCESS_KEY,
    MONITORING_ENDPOINT: url,
    LOG_INGESTION_ENDPOINT: tlsUrl,
    LOG_INGESTION_AUTHORITY: tlsUrl,
    LOG_INGESTION_CA_FILE: caFile,
  };
}
