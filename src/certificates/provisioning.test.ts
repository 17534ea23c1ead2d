import { describe, expect, it } from 'vitest';
import {
  provisioningStarted,
  provisioningFailed,
  certificateIssued,
  recordsVerified,
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
    expect(state.provisioning).toEqual({ due_at: now.toISOString(), failures: 0 });
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

  it('has no error and no retry while the data plane issues the certificate', () => {
    const state = recordsVerified(provisioningFailed(provisioningStarted(now), failure, schedule, now), later(5_000));
    expect(state.provisioning).toEqual({ due_at: null, failures: 1 });
    expect(job(state)).toMatchObject({ error_code: null, started_at: now.toISOString(), retries_at: null });
  });

  it('ends with a certificate, whose renewal is due after two thirds of its validity', () => {
    const notAfter = later(90 * 86_400_000);
    const state = certificateIssued({ notBefore: now, notAfter });
    const renewsAt = later(60 * 86_400_000).toISOString();
    expect(state).toEqual({
      certificate_management_status: { renews_at: renewsAt, provisioning_job: null },
      provisioning: { due_at: renewsAt, failures: 0 },
    });
    const renewal = recordsVerified(state, notAfter);
    expect(job(renewal)?.started_at).toBe(notAfter.toISOString());
    expect(renewal.certificate_management_status.renews_at).toBe(renewsAt);
  });
});
