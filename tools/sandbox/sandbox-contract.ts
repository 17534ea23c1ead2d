import type { TargetKind } from '../../src/targets/target.js';

/** One event that the sandbox accepted, as a vendor would have stored it. */
export interface ReceivedEvent {
  readonly target: TargetKind;
  /**
   * Where in the target it arrived: the delivery stream's name, the data stream's ARN, `<log group>/<log stream>`,
   * the Datadog `service`, or `<data collection rule id>/<stream name>`.
   */
  readonly address: string;
  /** The event as text: the record's data, the log message, or the row as JSON. */
  readonly body: string;
  /** The record's partition key, where the target has one. */
  readonly partitionKey?: string;
  /** When it was accepted, milliseconds since the epoch. */
  readonly receivedAtMs: number;
}

/** A scripted fault: applies to the calls it matches, until `times` of them were hit or it is removed. */
export interface Fault {
  /** Which target; left out: all five. `sts` and `entra` are the token services. */
  readonly target?: TargetKind | 'sts' | 'entra';
  /** Only calls to this address (see ReceivedEvent); left out: all. */
  readonly address?: string;
  /**
   * - `throttle`: the vendor's own throttling answer (`retryAfterSeconds` as its Retry-After where it has one)
   * - `partial`: each record fails with probability `ratio` with the vendor's own per-record error (targets that answer whole
   *   calls fail whole calls with that probability)
   * - `timeout`: takes the call and never answers
   * - `reset`: closes the socket in the middle
   * - `deny`: the vendor's own access-denied answer
   * - `not_found`: the vendor's own answer for a stream, group or rule that does not exist
   * - `unavailable`: 503 with a body that is not JSON
   * - `too_large`: the vendor's own answer for a call that is too large (413 where it has one)
   * - `expired`: the vendor's own answer for an expired token
   * - `slow`: answers after `delayMs`
   */
  readonly kind:
    'throttle' | 'partial' | 'timeout' | 'reset' | 'deny' | 'not_found' | 'unavailable' | 'too_large' | 'expired' | 'slow';
  readonly times?: number;
  readonly ratio?: number;
  readonly delayMs?: number;
  readonly retryAfterSeconds?: number;
}

/** How many calls a target has had, and how they were answered. */
export interface CallCount {
  readonly target: TargetKind | 'sts' | 'entra';
  readonly operation: string;
  readonly status: number;
  readonly calls: number;
}

/** A running sandbox. The same controls are served over HTTP under `/_sandbox/` for other processes. */
export interface Sandbox {
  /** http://127.0.0.1:port: Firehose, Kinesis, CloudWatch Logs, STS, Datadog, and the controls. */
  readonly url: string;
  /** https://localhost:port, with a certificate of the sandbox's own authority: Azure ingestion and Entra (and all the rest). */
  readonly tlsUrl: string;
  /** PEM file of that authority. */
  readonly caFile: string;
  /**
   * Environment variables that point Waybill's targets at this sandbox: AWS_ENDPOINT_URL_FIREHOSE, _KINESIS, _CLOUDWATCH_LOGS, _STS,
   * operator credentials for AssumeRole (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), MONITORING_ENDPOINT, LOG_INGESTION_ENDPOINT,
   * LOG_INGESTION_AUTHORITY, LOG_INGESTION_CA_FILE.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** What was accepted, in the order of arrival. */
  received(filter?: { target?: TargetKind; address?: string }): readonly ReceivedEvent[];
  /** How often each operation was called. */
  calls(): readonly CallCount[];
  /** Adds a fault; gives a function that removes it. */
  script(fault: Fault): () => void;
  /** Forgets what was received and every fault. */
  clear(): void;
  close(): Promise<void>;
}
