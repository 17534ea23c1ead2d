import type { z } from 'zod';

/** The five kinds of target; also the names of the members of a destination's `target` and of the queues. */
export const targetKinds = [
  'delivery_stream',
  'data_stream',
  'log_group',
  'monitoring',
  'log_ingestion',
] as const;
export type TargetKind = (typeof targetKinds)[number];

/**
 * What one call to the vendor may carry. An event of n bytes counts `ceil(n * expansion) + overheadBytes` against
 * `batchBytes`: an upper bound of what the vendor counts, so that a batch claimed by it always fits.
 */
export interface BatchLimits {
  /** Most records in one call. */
  readonly records: number;
  /** Most bytes in one call, as the vendor counts them. */
  readonly batchBytes: number;
  /** Most bytes of one record, as the vendor counts them. */
  readonly recordBytes: number;
  /** Bytes that each record costs beside its own. */
  readonly overheadBytes: number;
  /** Factor by which encoding (base64, JSON in a string) may lengthen a record. */
  readonly expansion: number;
}

/** One event on its way to a target. */
export interface DeliverableEvent {
  /** `evt_...`; the same on every redelivery. */
  readonly id: string;
  readonly type: string;
  /** Position in the destination's own gapless order, from 1. */
  readonly sequence: number;
  /** When the change happened, milliseconds since the epoch. */
  readonly timestampMs: number;
  /** Id of the resource that changed: the partition key where a target has one. */
  readonly resourceId: string;
  /** The payload, serialized, `sequence` included: one line of compact JSON in UTF-8. */
  readonly json: string;
}

/** Why an attempt did not deliver a record: for the destination's owner to read, free of secrets and payloads. */
export interface Reason {
  /** Stable code: the vendor's own (`ProvisionedThroughputExceededException`, `AADSTS7000215`), `http_503`, or a socket's (`ECONNRESET`). */
  readonly code: string;
  /** A sentence that says what happened and, where the owner can act, what to do. */
  readonly message: string;
  /** The vendor's HTTP status, where there was an answer. */
  readonly httpStatus?: number;
}

/** What became of one record in one attempt. */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** Try again, not before `afterMs` where the vendor said so (Retry-After). */
  | { readonly kind: 'retry'; readonly reason: Reason; readonly afterMs?: number }
  /** The destination is set up wrong: nothing is wrong with the event, trying soon makes no sense. */
  | { readonly kind: 'misconfigured'; readonly reason: Reason }
  /** The target will never take this record. */
  | { readonly kind: 'rejected'; readonly grounds: RejectionGrounds; readonly reason: Reason }
  /** Not sent in this attempt, because what goes before it has to arrive first or the attempt has made enough calls. */
  | { readonly kind: 'postponed' }
  /** We ended the call before it was answered (a process that stops): it says nothing of the target, and may have arrived. */
  | { readonly kind: 'interrupted'; readonly reason: Reason };

/**
 * What a rejection rests on.
 * - `size`: our own count; the record was not sent
 * - `record`: the vendor's word on this very record
 * - `call`: the vendor refused a call that had nothing else in it, without a word on whether the record is to blame or how the
 *   destination is set up. Only what else the vendor takes can tell.
 */
export type RejectionGrounds = 'size' | 'record' | 'call';

/** A live connection to the target of one destination in one version of its configuration. */
export interface Connection {
  /**
   * Sends a batch that is within the target's limits (in the usual case one call to the vendor) and says what became of each
   * record, in the order given. Never throws for what the vendor or the network says. After a call in which something failed
   * none is begun: what it would have carried is `postponed`. When `signal` aborts, it ends the call and answers for what is
   * not known to be delivered: `retry` when the time was over (a `TimeoutError`), otherwise `interrupted`.
   */
  send(events: readonly DeliverableEvent[], signal: AbortSignal): Promise<readonly Outcome[]>;
  /** Frees sockets and clients. Never touches an agent that other connections share. */
  close(): Promise<void>;
}

/** What the operator (never a client) sets for the targets. Unset: the vendors' own addresses. */
export interface TargetSettings {
  /**
   * Longest that one attempt may take, in milliseconds: also what a call may take that nothing else ends. A further call of an
   * attempt is begun in the first half of it only.
   */
  readonly sendTimeoutMs: number;
  /** Base URL that stands in for Datadog's intake and API hosts, for the sandbox. */
  readonly monitoringEndpoint?: string | undefined;
  /** Base URL (https) that stands in for Azure's data collection endpoint, for the sandbox. */
  readonly logIngestionEndpoint?: string | undefined;
  /** Base URL (https) that stands in for the Entra authority, for the sandbox. */
  readonly logIngestionAuthority?: string | undefined;
  /** PEM file of an authority to trust for the two addresses above. */
  readonly logIngestionCaFile?: string | undefined;
  // The three AWS targets take the SDK's own AWS_ENDPOINT_URL_FIREHOSE, _KINESIS, _CLOUDWATCH_LOGS and _STS.
}

/** Which destination a connection is for. */
export interface ConnectionContext {
  readonly destinationId: string;
  /** The external id that Waybill generated for the destination; given with every AssumeRole. */
  readonly externalId: string;
  readonly settings: TargetSettings;
}

/**
 * A target is a handful of pure functions around one call.
 * `Config` is the destination's member of that kind with its secrets filled in, as `config` gives it out.
 */
export interface Target<Config = unknown> {
  readonly kind: TargetKind;
  readonly limits: BatchLimits;
  /**
   * Validates the member of a destination's `target` and describes it in the OpenAPI document: anchored ARNs, listed sites,
   * host rules; unknown fields refused. Secret fields are `string | null | undefined` in it (absent or null on an update keeps what is stored); that a
   * secret is present on creation is checked by the family through `secretFields`.
   */
  readonly config: z.ZodType<Config>;
  /** Paths of the secret fields within the member, such as `auth.creds.cloud_secret_access_key`. */
  readonly secretFields: readonly string[];
  /**
   * Loads a client that takes long to load, without keeping the event loop from others. Called before the first connection is
   * opened, so that no call's time is spent on it, and by a worker that starts where there are destinations of this kind.
   */
  prepare?(): Promise<void>;
  /** Opens a connection (lazily: no network before the first `send`). `config` has every secret filled in. */
  connect(config: Config, context: ConnectionContext): Connection;
}
