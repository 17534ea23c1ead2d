import { describe, expect, it } from 'vitest';
import {
  provisioningStarted,
  provisioningFailed,
  certificateIssued,
  recordsVerified,
  reportOverdue,
  type CertificateState,
} from './provisioning.js';

const now = new Date('2026-05-01T12:00:00Z');
const later = (ms: number): Date => new Date(now.getTime() + ms);
const schedule = { baseMs: 60_000, capMs: 3_600_000 };
const failure = { code: 'DNS_ERROR', message: 'no record' } as const;
const job = (state: CertificateState) => state.certificate_management_status.provisioning_job;

describe('the provisioning of a certificate', () => {
  it('starts with a check that is due at once', () => {
    const state = provisioningStarted(now);
    expect(state.provisioning).toEqual({ due_at: now.toISOString(), awaits: 'check', failures: 0 });
    expect(job(state)).toMatchObject({ error_code: null, started_at: now.toISOString(), retries_at: null });
  });

  it('records the failure and schedules a retry, at least half of a delay that doubles up to the cap', () => {
    let state = provisioningStarted(now);
    for (const stepMs of [60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000]) {
      state = provisioningFailed(state, failure, schedule, later(1_000));
      const waitMs = Date.parse(job(state)?.retries_at ?? '') - later(1_000).getTime();
      expect(waitMs).toBeGreaterThanOrEqual(stepMs / 2);
      expect(waitMs).toBeLessThanOrEqual(stepMs);
      expect(state.provisioning.due_at).toBe(job(state)?.retries_at);
      expect(job(state)).toMatchObject({
        error_code: 'DNS_ERROR',
        msg: 'no record',
        started_at: now.toISOString(),
      });
    }
  });

  it('stores text from outside bounded, and without characters that Postgres cannot store', () => {
    const message = `\0${'name.'.repeat(10_000)}`;
    const state = provisioningFailed(provisioningStarted(now), { code: 'DNS_ERROR', message }, schedule, now);
    expect(job(state)?.msg).toHaveLength(1_000);
    expect(job(state)?.msg).toMatch(/^\ufffdname\./);
  });

  it('has no error and no retry while the data plane issues the certificate', () => {
    const failed = provisioningFailed(provisioningStarted(now), failure, schedule, now);
    const state = recordsVerified(failed, 600_000, later(5_000));
    expect(state.provisioning).toEqual({ due_at: later(605_000).toISOString(), awaits: 'report', failures: 1 });
    expect(job(state)).toMatchObject({ error_code: null, started_at: now.toISOString(), retries_at: null });
  });

  it('fails without a report of the data plane, and checks the records again after the backoff', () => {
    const state = recordsVerified(provisioningStarted(now), 600_000, now);
    const overdue = provisioningFailed(state, reportOverdue(600_000), schedule, later(600_000));
    expect(job(overdue)).toMatchObject({
      error_code: 'INTERNAL_ERROR',
      msg: 'The certificate was not issued within 600 seconds.',
    });
    expect(Date.parse(job(overdue)?.retries_at ?? '')).toBeGreaterThan(later(600_000).getTime());
    expect(overdue.provisioning).toEqual({ due_at: job(overdue)?.retries_at, awaits: 'check', failures: 1 });
  });

  it('ends with a certificate, whose renewal is due after two thirds of its validity', () => {
    const notAfter = later(90 * 86_400_000);
    const state = certificateIssued({ notBefore: now, notAfter });
    const renewsAt = later(60 * 86_400_000).toISOString();
    expect(state).toEqual({
      certificate_management_status: { renews_at: renewsAt, provisioning_job: null },
      provisioning: { due_at: renewsAt, awaits: 'check', failures: 0 },
    });
    const renewal = recordsVerified(state, 600_000, notAfter);
    expect(job(renewal)?.started_at).toBe(notAfter.toISOString());
    expect(renewal.certificate_management_status.renews_at).toBe(renewsAt);
  });
});
