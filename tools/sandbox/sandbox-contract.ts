import type { TargetKind } from '../../src/targets/target.js';

/** One event that the sandbox accepted, as a vendor would have stored it. */
export interface ReceivedEvent {
  /** 1, 2, 3 ... in the order of arrival over all targets: the cursor of `GET /_sandbox/received?after=`. */
  readonly position: number;
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
  /**
   * What else the target stored of the record, as JSON: the log event's `{"timestamp"}`, or the Datadog entry without its
   * message. Left out where there is nothing else.
   */
  readonly attributes?: string;
  /** When it was accepted, milliseconds since the epoch. */
  readonly receivedAtMs: number;
}

/** A scripted fault: applies to the calls it matches, until `times` of them were hit or it is removed. */
export interface Fault {
  /** Which target; left out: all five. `sts` and `entra` are the token services: they fail only by name. */
  readonly target?: TargetKind | 'sts' | 'entra';
  /** Only calls to this address (see ReceivedEvent; a role's ARN for `sts`, a tenant for `entra`); left out: all. */
  readonly address?: string;
  /** Only calls that carry an event with this text in it: one poison record in the middle of a batch. Left out: all. */
  readonly contains?: string;
  /**
   * - `throttle`: the vendor's own throttling answer (`retryAfterSeconds` as its Retry-After where it has one)
   * - `partial`: each record fails with probability `ratio` with the vendor's own per-record error (targets that answer whole
   *   calls fail whole calls with that probability)
   * - `timeout`: takes the call and never answers (see `accepts`)
   * - `reset`: closes the socket in the middle (see `accepts`)
   * - `deny`: the vendor's own access-denied answer
   * - `not_found`: the vendor's own answer for a stream, group or rule that does not exist
   * - `unavailable`: 503 with a body that is not JSON (see `accepts`)
   * - `too_large`: the vendor's own answer for a call that is too large (413 where it has one)
   * - `malformed`: the vendor's own answer for a call with a record that it cannot read, which does not say which one
   * - `redirect`: 307 to an address of the sandbox where the call would be taken: who follows it, delivers
   * - `expired`: the vendor's own answer for an expired token
   * - `slow`: answers after `delayMs`; other faults still apply to the call
   */
  readonly kind:
    | 'throttle'
    | 'partial'
    | 'timeout'
    | 'reset'
    | 'deny'
    | 'not_found'
    | 'unavailable'
    | 'too_large'
    | 'malformed'
    | 'redirect'
    | 'expired'
    | 'slow';
  /** How many calls it hits; left out: all until it is removed. */
  readonly times?: number;
  /** From 0 to 1. For `partial` the probability of each record (default 0.5), for the others that of each call (default 1). */
  readonly ratio?: number;
  readonly delayMs?: number;
  /** For `timeout`, `reset` and `unavailable`: the call took effect and only its answer is lost, so that a retry duplicates. */
  readonly accepts?: boolean;
  readonly retryAfterSeconds?: number;
}

/** How many events and bytes arrived at one address. */
export interface ReceivedCount {
  readonly target: TargetKind;
  readonly address: string;
  readonly events: number;
  /** Those of them whose `sequence` had arrived before. */
  readonly repeats: number;
  readonly bytes: number;
  /** When the last of them was accepted, milliseconds since the epoch. */
  readonly lastAtMs: number;
}

/** One AssumeRole that was granted. */
export interface AssumedRole {
  readonly roleArn: string;
  readonly externalId: string;
  readonly sessionName: string;
  /** The access key id of the session that was issued. */
  readonly accessKeyId: string;
  readonly expiresAtMs: number;
}

/** How many calls a target has had, and how they were answered. */
export interface CallCount {
  readonly target: TargetKind | 'sts' | 'entra';
  readonly operation: string;
  /** The HTTP status; 0 where the socket was closed without an answer, or left hanging. */
  readonly status: number;
  readonly calls: number;
}

/** Whether the waits that one address asked for (Retry-After) were kept to. */
export interface EarlyCalls {
  readonly target: TargetKind | 'sts' | 'entra';
  readonly address: string;
  /** Answers that asked for a wait. */
  readonly asked: number;
  /** Calls that came before it was over. */
  readonly early: number;
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
  received(filter?: { target?: TargetKind; address?: string; after?: number }): readonly ReceivedEvent[];
  /** How much was accepted for each address; also with `countOnly`, when `received` has nothing. */
  receivedCounts(): readonly ReceivedCount[];
  /** The roles that were assumed, in order. */
  assumedRoles(): readonly AssumedRole[];
  /** How often each operation was called. */
  calls(): readonly CallCount[];
  /** For each address that asked for a wait, how often, and how many calls came too early. */
  earlyCalls(): readonly EarlyCalls[];
  /** Stops listening, and cuts the calls that are open: connections are refused until `comeBack`. What was received is kept. */
  goAway(): Promise<void>;
  /** Listens again, on the same ports. */
  comeBack(): Promise<void>;
  /** Adds a fault; gives a function that removes it. */
  script(fault: Fault): () => void;
  /** Forgets what was received, the calls, the log streams that were created and every fault. Issued credentials stay good. */
  clear(): void;
  close(): Promise<void>;
}
