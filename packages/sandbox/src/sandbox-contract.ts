/** The five targets, by the names that Waybill gives to them. */
export const targetKinds = ['delivery_stream', 'data_stream', 'log_group', 'monitoring', 'log_ingestion'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** The services of the sandbox: the five targets, two token services, and a cosigner of logs. */
export const serviceNames = [...targetKinds, 'sts', 'entra', 'cosigner'] as const;
export type ServiceName = (typeof serviceNames)[number];

/**
 * The kinds of faults:
 *
 * - `throttle`: throttling error of the vendor, with `retryAfterSeconds` as Retry-After if the vendor has one
 * - `partial`: each record fails with probability `ratio`; targets without partial results fail whole calls
 * - `timeout`: accepts the call and never responds (see `accepts`)
 * - `reset`: closes the socket (see `accepts`)
 * - `deny`: access denied
 * - `not_found`: the stream, group or rule does not exist
 * - `unavailable`: 503 with a body that is not JSON (see `accepts`)
 * - `too_large`: the call is too large (413 if the vendor has one)
 * - `malformed`: a record of the call cannot be read; the error does not name it
 * - `redirect`: 307 to an address of the sandbox that accepts the call
 * - `expired`: the token has expired
 * - `slow`: responds after `delayMs`; other faults still apply
 */
export const faultKinds = [
  'throttle',
  'partial',
  'timeout',
  'reset',
  'deny',
  'not_found',
  'unavailable',
  'too_large',
  'malformed',
  'redirect',
  'expired',
  'slow',
] as const;

/** An event that the sandbox accepted, as the vendor would store it. */
export interface ReceivedEvent {
  /** 1, 2, 3 … in the order of arrival at all targets: the cursor of `GET /_sandbox/received?after=`. */
  readonly position: number;
  readonly target: TargetKind;
  /**
   * Address within the target: the delivery stream's name, the data stream's ARN, `<log group>/<log stream>`, the
   * Datadog `service`, or `<data collection rule id>/<stream name>`.
   */
  readonly address: string;
  /** The event as text: the record's data, the log message, or the row as JSON. */
  readonly body: string;
  /** The record's partition key, where the target has one. */
  readonly partitionKey?: string;
  /**
   * Other stored fields of the record, as JSON: the log event's `{"timestamp"}`, or the Datadog entry without its
   * message.
   */
  readonly attributes?: string;
  /** When it was accepted, milliseconds since the epoch. */
  readonly receivedAtMs: number;
}

/** A scripted fault. It applies to matching calls until it has hit `times` of them or is removed. */
export interface Fault {
  /** Default: all five targets. */
  readonly target?: ServiceName;
  /** Only calls to this address: see ReceivedEvent; a role's ARN for `sts`, a tenant for `entra`. Default: all. */
  readonly address?: string;
  /** Only calls with an event that contains this text. Default: all. */
  readonly contains?: string;
  /** What happens to the call: see `faultKinds`. */
  readonly kind: (typeof faultKinds)[number];
  /** Number of calls that it hits. Default: all. */
  readonly times?: number;
  /** Probability from 0 to 1: of each record for `partial` (default 0.5), of each call for others (default 1). */
  readonly ratio?: number;
  readonly delayMs?: number;
  /** For `timeout`, `reset` and `unavailable`: stores the events and drops only the response. */
  readonly accepts?: boolean;
  readonly retryAfterSeconds?: number;
}

/** Events and bytes that arrived at one address. */
export interface ReceivedCount {
  readonly target: TargetKind;
  readonly address: string;
  readonly events: number;
  /** Events whose number (`epoch`, `sequence`) had arrived before. */
  readonly repeats: number;
  readonly bytes: number;
  /** When the last of them was accepted, milliseconds since the epoch. */
  readonly lastAtMs: number;
}

/** A granted AssumeRole. */
export interface AssumedRole {
  readonly roleArn: string;
  readonly externalId: string;
  readonly sessionName: string;
  /** The access key id of the session that was issued. */
  readonly accessKeyId: string;
  readonly expiresAtMs: number;
}

/** Number of calls by operation and status. */
export interface CallCount {
  readonly target: ServiceName;
  readonly operation: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly calls: number;
}

/** Calls to one address that did not respect a Retry-After. */
export interface EarlyCalls {
  readonly target: ServiceName;
  readonly address: string;
  /** Responses with a Retry-After. */
  readonly asked: number;
  /** Calls that came too early. */
  readonly early: number;
}

/** The cosigner of a sandbox. */
export interface CosignerControls {
  /** Verifier key. It is the same for every sandbox. */
  readonly vkey: string;
  /** Cosigns the logs with these verifier keys, one a line, from now on. @throws Error for what is no verifier key */
  trust(vkeys: string): void;
  /** Returns the size that was cosigned last, by the origin of the log. */
  sizes(): Readonly<Record<string, number>>;
}

/** A running sandbox. The same controls are served over HTTP under `/_sandbox/` for other processes. */
export interface Sandbox {
  /** http://127.0.0.1:port: Firehose, Kinesis, CloudWatch Logs, STS, Datadog, and the controls. */
  readonly url: string;
  /**
   * https://localhost:port, with a certificate of the sandbox's own authority: Azure ingestion and Entra (and all the
   * rest).
   */
  readonly tlsUrl: string;
  /** PEM file of that authority. */
  readonly caFile: string;
  /**
   * Environment variables that point Waybill's targets at this sandbox: AWS_ENDPOINT_URL_FIREHOSE, _KINESIS,
   * _CLOUDWATCH_LOGS, _STS, operator credentials for AssumeRole (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY),
   * MONITORING_ENDPOINT, LOG_INGESTION_ENDPOINT, LOG_INGESTION_AUTHORITY, LOG_INGESTION_CA_FILE.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** A cosigner of logs (https://c2sp.org/tlog-witness), at `<url>/cosigner`. */
  readonly cosigner: CosignerControls;
  /** Returns the accepted events in the order of arrival. */
  received(filter?: { target?: TargetKind; address?: string; after?: number }): readonly ReceivedEvent[];
  /** Counts the accepted events of each address; works with `countOnly`. */
  receivedCounts(): readonly ReceivedCount[];
  /** Returns the assumed roles in order. */
  assumedRoles(): readonly AssumedRole[];
  /** Counts the calls of each operation. */
  calls(): readonly CallCount[];
  /** Returns the calls that did not respect a Retry-After, by address. */
  earlyCalls(): readonly EarlyCalls[];
  /** Stops listening and cuts open connections until `resumeListening`. Keeps the received events. */
  stopListening(): Promise<void>;
  /** Listens again on the same ports. */
  resumeListening(): Promise<void>;
  /** Adds a fault. Returns a function that removes it. */
  script(fault: Fault): () => void;
  /** Removes received events, call counts, log streams and faults. Issued credentials stay valid. */
  clear(): void;
  close(): Promise<void>;
}
