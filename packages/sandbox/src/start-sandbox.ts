import { cloudwatchLogs } from './aws/cloudwatch-logs.js';
import { AccessKeys, OPERATOR_ACCESS_KEY_ID, SANDBOX_SECRET_ACCESS_KEY } from './aws/credentials.js';
import { firehose } from './aws/firehose.js';
import { kinesis } from './aws/kinesis.js';
import { sts } from './aws/sts.js';
import { AccessTokens } from './azure/access-tokens.js';
import { entra } from './azure/entra.js';
import { logIngestion } from './azure/log-ingestion.js';
import { CallCounter } from './call-counter.js';
import { handleControl, CONTROLS_PATH, type ControllableSandbox } from './controls.js';
import { Cosigner, cosignerProtocol } from './cosigner/cosigner.js';
import { datadog } from './datadog/datadog.js';
import { ScriptedFaults, seededRandom } from './faults.js';
import type { Handler } from './listen.js';
import { Listeners } from './listeners.js';
import { ReceivedLog } from './received-log.js';
import { RequestHandler } from './request-handler.js';
import { RetryAfterTracker } from './retry-after-tracker.js';
import type { Sandbox } from './sandbox-contract.js';
import { openAuthority } from './tls/authority.js';

export interface SandboxOptions {
  /** HTTP port; default 0, a free port. */
  readonly httpPort?: number;
  /** HTTPS port; default 0, a free port. */
  readonly tlsPort?: number;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Host name in its URLs and certificate, such as `sandbox` in a compose file. */
  readonly publicHost?: string;
  /**
   * Folder for the certificate (`ca.pem`) and key (`ca-key.pem`) of its authority, which it reuses at the next start.
   * Default: a temporary folder.
   */
  readonly authorityFolder?: string;
  /** Counts events without keeping them, for benchmarks. */
  readonly countOnly?: boolean;
  /** Seed of random faults: the same seed and calls give the same faults. Default: random. */
  readonly seed?: number;
}

/**
 * Starts a local server with the protocols of the five targets and their token services.
 * @throws the error of the listener if a port is in use
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  const publicHost = options.publicHost;
  const hosts = ['localhost', '127.0.0.1', 'sandbox', ...(publicHost === undefined ? [] : [publicHost])];
  const authority = await openAuthority([...new Set(hosts)], options.authorityFolder);
  const log = new ReceivedLog({ retain: options.countOnly !== true });
  const calls = new CallCounter();
  const retryAfters = new RetryAfterTracker();
  const faults = new ScriptedFaults(options.seed === undefined ? Math.random : seededRandom(options.seed));
  const keys = new AccessKeys();
  const tokens = new AccessTokens();
  const streams = new Set<string>();
  const cosigner = new Cosigner();
  const protocols = [
    firehose(keys, log),
    kinesis(keys, log),
    cloudwatchLogs(keys, log, streams),
    datadog(log),
    logIngestion(tokens, log),
    entra(tokens),
    sts(keys),
    cosignerProtocol(cosigner),
  ];
  const requestHandler = new RequestHandler(protocols, faults, calls, retryAfters);
  const handler: Handler = async (request, response) => {
    if (request.path.startsWith(CONTROLS_PATH)) await handleControl(request, response, sandbox);
    else await requestHandler.handle(request, response);
  };
  const listeners = new Listeners();
  const close = async () => {
    await listeners.close();
    await authority.dispose();
  };
  const open = async () => ({
    httpPort: await listeners.open(handler, host, options.httpPort ?? 0),
    tlsPort: await listeners.open(handler, host, options.tlsPort ?? 0, authority.server),
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
    retryAfters.clear();
    streams.clear();
  };

  const sandbox: ControllableSandbox = {
    url,
    tlsUrl,
    caFile: authority.caFile,
    ca: authority.ca,
    environment: environmentOf(url, tlsUrl, authority.caFile),
    cosigner,
    received: (filter) => [...log.events(filter)],
    receivedCounts: () => log.counts(),
    assumedRoles: () => keys.assumedRoles(),
    calls: () => calls.counts(),
    earlyCalls: () => retryAfters.counts(),
    stopListening: () => listeners.stopListening(),
    resumeListening: () => listeners.resumeListening(),
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
