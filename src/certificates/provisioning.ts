import { storable } from '../bounds/storable.js';
import { backoffMs, type BackoffSchedule } from '../timing/backoff.js';

/** Why provisioning is failing: a permanent condition that the user must correct, or a temporary one. */
export const provisioningErrors = ['DNS_ERROR', 'INTERNAL_ERROR'] as const;
export type ProvisioningError = (typeof provisioningErrors)[number];

/** Provisioning of one certificate. Times are RFC 3339. */
export interface ProvisioningJob {
  /** Null unless provisioning is failing. */
  readonly error_code: ProvisioningError | null;
  readonly msg: string;
  readonly started_at: string;
  readonly retries_at: string | null;
}

/** Status of automatic certificate management, as the API returns it. */
export interface CertificateStatus {
  readonly renews_at: string | null;
  readonly provisioning_job: ProvisioningJob | null;
}

/** What ends the wait of provisioning: a check of the DNS records, or a report of the data plane. */
export const provisioningWaits = ['check', 'report'] as const;

/** Internal state of provisioning. */
export interface Provisioning {
  /** When the next check is due, or the report is overdue, RFC 3339 in UTC. */
  readonly due_at: string | null;
  readonly awaits: (typeof provisioningWaits)[number];
  /** Failures in a row. */
  readonly failures: number;
}

/** The state of automatic certificate management in the attributes of a resource. */
export interface CertificateState {
  readonly certificate_management_status: CertificateStatus;
  readonly provisioning: Provisioning;
}

/** Most characters of a message: it has text from outside, and it is in every event of the resource. */
const LONGEST_MESSAGE = 1_000;

/** A failure, with a message for the client. */
export interface Failure {
  readonly code: ProvisioningError;
  readonly message: string;
}

/**
 * Share of the validity period after which a certificate is renewed:
 * https://letsencrypt.org/docs/integration-guide/#when-to-renew
 */
const RENEWED_AFTER = 2 / 3;

/** State after a certificate was requested: a check is due at once. */
export function provisioningStarted(now: Date): CertificateState {
  const job = {
    error_code: null,
    msg: 'The DNS records are about to be checked.',
    started_at: now.toISOString(),
    retries_at: null,
  };
  return {
    certificate_management_status: { renews_at: null, provisioning_job: job },
    provisioning: { due_at: now.toISOString(), awaits: 'check', failures: 0 },
  };
}

/** State after a check that found every record: the data plane has `issueTimeoutMs` to report the certificate. */
export function recordsVerified(state: CertificateState, issueTimeoutMs: number, now: Date): CertificateState {
  const job = {
    error_code: null,
    msg: 'The DNS records are in place; the certificate is being issued.',
    started_at: startedAt(state, now),
    retries_at: null,
  };
  // Only a certificate resets the failures, so that the backoff keeps growing while issuing fails.
  const dueAt = new Date(now.getTime() + issueTimeoutMs).toISOString();
  return withJob(state, job, { due_at: dueAt, awaits: 'report', failures: state.provisioning.failures });
}

/** The failure of a data plane that did not report a certificate in time. */
export function reportOverdue(issueTimeoutMs: number): Failure {
  const seconds = Math.ceil(issueTimeoutMs / 1_000);
  return { code: 'INTERNAL_ERROR', message: `The certificate was not issued within ${seconds} seconds.` };
}

/** State after a failure: a retry is due after a backoff with jitter, at least half of the full delay. */
export function provisioningFailed(
  state: CertificateState,
  { code, message }: Failure,
  schedule: BackoffSchedule,
  now: Date,
): CertificateState {
  const failures = state.provisioning.failures + 1;
  const waitMs = backoffMs(schedule, failures, 0, () => 0.5 + Math.random() / 2);
  const retriesAt = new Date(now.getTime() + waitMs).toISOString();
  const msg = storable(message, LONGEST_MESSAGE);
  const job = { error_code: code, msg, started_at: startedAt(state, now), retries_at: retriesAt };
  return withJob(state, job, { due_at: retriesAt, awaits: 'check', failures });
}

/** State after a certificate was issued: its renewal is due. */
export function certificateIssued(validity: { readonly notBefore: Date; readonly notAfter: Date }): CertificateState {
  const [from, until] = [validity.notBefore.getTime(), validity.notAfter.getTime()];
  const renewsAt = new Date(from + (until - from) * RENEWED_AFTER).toISOString();
  return {
    certificate_management_status: { renews_at: renewsAt, provisioning_job: null },
    provisioning: { due_at: renewsAt, awaits: 'check', failures: 0 },
  };
}

function withJob(state: CertificateState, job: ProvisioningJob, provisioning: Provisioning): CertificateState {
  const { renews_at } = state.certificate_management_status;
  return { certificate_management_status: { renews_at, provisioning_job: job }, provisioning };
}

/** A renewal starts with its first check. */
function startedAt(state: CertificateState, now: Date): string {
  return state.certificate_management_status.provisioning_job?.started_at ?? now.toISOString();
}
