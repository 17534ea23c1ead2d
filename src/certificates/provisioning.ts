import { backoffMs, type BackoffSchedule } from '../timing/backoff.js';

/** Why provisioning is failing: what the client must mend, or what passes. */
export const provisioningErrors = ['DNS_ERROR', 'INTERNAL_ERROR'] as const;
export type ProvisioningError = (typeof provisioningErrors)[number];

/** How the making of a certificate stands. Times are RFC 3339. */
export interface ProvisioningJob {
  /** Null while nothing is failing. */
  readonly error_code: ProvisioningError | null;
  readonly msg: string;
  readonly started_at: string;
  readonly retries_at: string | null;
}

/** How the automatic certificate of a name stands, as clients see it. */
export interface CertificateStatus {
  readonly renews_at: string | null;
  readonly provisioning_job: ProvisioningJob | null;
}

/** What the job needs to know beside that. */
export interface Provisioning {
  /** When to check next, RFC 3339 in UTC; null while the data plane has the turn. */
  readonly due_at: string | null;
  /** Failures in a row. */
  readonly failures: number;
}

/** Both, as they stand in a managed resource. */
export interface ManagedState {
  readonly certificate_management_status: CertificateStatus;
  readonly provisioning: Provisioning;
}

/** Something that failed, in words for the client. */
export interface Failure {
  readonly code: ProvisioningError;
  readonly message: string;
}

/** The part of a certificate's life after which it is renewed: https://letsencrypt.org/docs/integration-guide/#when-to-renew */
const RENEWED_AFTER = 2 / 3;

/** The state of a name whose certificate has just been asked for. */
export function begun(now: Date): ManagedState {
  const job = {
    error_code: null,
    msg: 'The DNS records are about to be checked.',
    started_at: now.toISOString(),
    retries_at: null,
  };
  return {
    certificate_management_status: { renews_at: null, provisioning_job: job },
    provisioning: { due_at: now.toISOString(), failures: 0 },
  };
}

/** After a check that found every record in place: the data plane has the turn. */
export function readyToIssue(state: ManagedState, now: Date): ManagedState {
  const job = {
    error_code: null,
    msg: 'The DNS records are in place; the certificate is being issued.',
    started_at: startOf(state, now),
    retries_at: null,
  };
  // Failures are forgotten only with a certificate: one that cannot be issued is tried less and less often.
  return withJob(state, job, { due_at: null, failures: state.provisioning.failures });
}

/** After a failure of whatever kind: it is tried again after a backoff, at least half of its step long. */
export function failed(
  state: ManagedState,
  { code, message }: Failure,
  schedule: BackoffSchedule,
  now: Date,
): ManagedState {
  const failures = state.provisioning.failures + 1;
  const waitMs = backoffMs(schedule, failures, 0, () => 0.5 + Math.random() / 2);
  const retriesAt = new Date(now.getTime() + waitMs).toISOString();
  const job = { error_code: code, msg: message, started_at: startOf(state, now), retries_at: retriesAt };
  return withJob(state, job, { due_at: retriesAt, failures });
}

/** After a certificate was issued: the next thing is its renewal. */
export function issued(validity: { readonly notBefore: Date; readonly notAfter: Date }): ManagedState {
  const [from, until] = [validity.notBefore.getTime(), validity.notAfter.getTime()];
  const renewsAt = new Date(from + (until - from) * RENEWED_AFTER).toISOString();
  return {
    certificate_management_status: { renews_at: renewsAt, provisioning_job: null },
    provisioning: { due_at: renewsAt, failures: 0 },
  };
}

function withJob(state: ManagedState, job: ProvisioningJob, provisioning: Provisioning): ManagedState {
  const { renews_at } = state.certificate_management_status;
  return { certificate_management_status: { renews_at, provisioning_job: job }, provisioning };
}

/** A renewal begins with its first check. */
function startOf(state: ManagedState, now: Date): string {
  return state.certificate_management_status.provisioning_job?.started_at ?? now.toISOString();
}
