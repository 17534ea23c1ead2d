import type { z } from 'zod';

/** The kinds of target. They also name the members of a destination's `target`, and the queues. */
export const targetKinds = ['delivery_stream', 'data_stream', 'log_group', 'monitoring', 'log_ingestion'] as const;
export type TargetKind = (typeof targetKinds)[number];

/**
 * Limits of one call to the vendor. An event of n bytes counts `ceil(n * expansion) + overheadBytes` against
 * `batchBytes`. This is an upper bound of what the vendor counts, so a batch claimed by it fits into one call.
 */
export interface BatchLimits {
  /** Most records in one call. */
  readonly records: number;
  /** Most bytes in one call, as the vendor counts them. */
  readonly batchBytes: number;
  /** Most bytes of one record, as the vendor counts them. */
  readonly recordBytes: number;
  /** Bytes that each record adds to its own. */
  readonly overheadBytes: number;
  /** Most that encoding (base64, JSON in a string) multiplies a record's bytes by. */
  readonly expansion: number;
}

/** The limits of a call whose bytes are counted as the vendor does. */
export type CallLimits = Pick<BatchLimits, 'records' | 'batchBytes' | 'recordBytes'>;

/** One event to deliver. */
export interface DeliverableEvent {
  /** `evt_...`; the same on every redelivery. */
  readonly id: string;
  readonly type: string;
  /** Position in the destination's gapless order, from 1. */
  readonly sequence: number;
  /** When the change happened, milliseconds since the epoch. */
  readonly timestampMs: number;
  /** Id of the resource that changed, or a hash of it: the partition key, where a target has one. */
  readonly resourceId: string;
  /** The payload, serialized, `sequence` included: one line of compact JSON in UTF-8. */
  readonly json: string;
}

/** Why an attempt did not deliver a record. The destination's owner sees it: it holds no secrets and no payloads. */
export interface Reason {
  /**
   * Stable code: the vendor's own (`ProvisionedThroughputExceededException`, `AADSTS7000215`), `http_503`, or a
   * socket's (`ECONNRESET`).
   */
  readonly code: string;
  /** What happened and, where the owner can act, what to do. */
  readonly message: string;
  /** The HTTP status of the vendor's response, if there was one. */
  readonly httpStatus?: number;
}

/** The outcome of one record in one attempt. */
export type Outcome =
  /** `timestampMs`: the timestamp that the record got, where the target needs ascending ones. */
  | { readonly kind: 'delivered'; readonly timestampMs?: number }
  /** A transient failure: retried, not before `afterMs` where the vendor asked for a wait (Retry-After). */
  | { readonly kind: 'retry'; readonly reason: Reason; readonly afterMs?: number }
  /** The configuration of the destination is wrong, not the event: retried later. */
  | { readonly kind: 'misconfigured'; readonly reason: Reason }
  /** The target will never accept this record. */
  | { readonly kind: 'rejected'; readonly basis: RejectionBasis; readonly reason: Reason }
  /** Not sent in this attempt: an earlier record must arrive first, or the attempt has made its maximum of calls. */
  | { readonly kind: 'postponed' }
  /** Waybill ended the call before the response, because the process stops: the record may have arrived. */
  | { readonly kind: 'interrupted'; readonly reason: Reason };

/**
 * Evidence for a rejection.
 * - `size`: Waybill's own count; the record was not sent
 * - `record`: the vendor's response names this record
 * - `call`: the vendor refused a call with this record alone, or with others and no time was left to separate them. The
 * latter only if nothing was delivered. The record or the destination may be the cause; only a delivery of other
 * records proves that it is the record.
 */
export type RejectionBasis = 'size' | 'record' | 'call';

/** A connection to the target of one destination, for one version of its configuration. */
export interface Connection {
  /**
   * Sends a batch within the target's limits, usually in one call. Returns an outcome for each record, in the order
   * given. Never throws for an error of the vendor or the network. No call follows a failed one: its records are
   * `postponed`. Asks `signal.aborted` right before each call, where the lease may have ended. When `signal` aborts,
   * ends the call; records not known to be delivered are `retry` after a timeout (`TimeoutError`), else `interrupted`.
   * @param latestTimestampMs the highest `timestampMs` of what the destination has received; 0, the default, before
   */
  send(
    events: readonly DeliverableEvent[],
    signal: AbortSignal,
    latestTimestampMs?: number,
  ): Promise<readonly Outcome[]>;
  /** Closes what belongs to this connection alone. */
  close(): Promise<void>;
}

/** The operator's settings of the targets. Unset addresses are the vendors' own. */
export interface TargetSettings {
  /**
   * Timeout of one attempt, in milliseconds, and of a call that nothing else ends. After half of it an attempt begins
   * no further call.
   */
  readonly sendTimeoutMs: number;
  /** Base URL instead of Datadog's hosts, for the sandbox. */
  readonly monitoringEndpoint?: string | undefined;
  /** Base URL (https) instead of Azure's data collection endpoint, for the sandbox. */
  readonly logIngestionEndpoint?: string | undefined;
  /** Base URL (https) instead of the Entra authority, for the sandbox. */
  readonly logIngestionAuthority?: string | undefined;
  /** PEM file of a certificate authority to trust for the two addresses above. */
  readonly logIngestionCaFile?: string | undefined;
  // The SDK reads AWS_ENDPOINT_URL_FIREHOSE, _KINESIS, _CLOUDWATCH_LOGS and _STS itself.
}

/** The destination of a connection. */
export interface ConnectionContext {
  readonly destinationId: string;
  /** The external id that Waybill generated for the destination, sent with every AssumeRole. */
  readonly externalId: string;
  readonly settings: TargetSettings;
}

/** The statement of the policy that lets a role write to a target. */
export interface RolePermissions {
  /** Calls to the vendor: `kinesis:PutRecords`. */
  readonly actions: readonly string[];
  /** The resource of the statement: what `pattern` matches of a field with an ARN, and `suffix`. */
  readonly resource: { readonly field: string; readonly pattern: string; readonly suffix: string };
}

/**
 * The vendor side of a destination. `Config` is the destination's member of that kind as `config` parses it, with its
 * secrets filled in.
 */
export interface Target<Config = unknown> {
  readonly kind: TargetKind;
  /** Name of the vendor's service: `Kinesis Data Streams`. */
  readonly title: string;
  readonly limits: BatchLimits;
  /**
   * Validates the member of a destination's `target` and describes it in the OpenAPI document: anchored ARNs, listed
   * sites, host rules; unknown fields refused. Secret fields are `string | null | undefined` in it (absent or null on
   * an update keeps what is stored); that a secret is present on creation is checked by the family through
   * `secretFields`.
   */
  readonly config: z.ZodType<Config>;
  /** Paths of the secret fields within the member, such as `auth.creds.cloud_secret_access_key`. */
  readonly secretFields: readonly string[];
  /** Names of the fields that are credentials: the secrets, and what each of them belongs to. */
  readonly credentials: readonly string[];
  /** What a role that Waybill assumes must be allowed to do; absent for a target without roles. */
  readonly permissions?: RolePermissions;
  /**
   * Loads the vendor's client, once in a process. The worker calls it for the kinds that have destinations, before it
   * takes their jobs.
   */
  loadClient(): Promise<void>;
  /** Opens a connection, without a network call before the first `send`. */
  connect(config: Config, context: ConnectionContext): Connection;
}
