import type { MaintenanceTask } from '../maintenance/maintenance.js';
import type { CertificateJobs } from './certificate-jobs.js';
import type { CertificateRegistry } from './certificate-registry.js';

/**
 * How long a check may be overdue before a sweep queues it, in milliseconds, and most checks of one sweep.
 */
const GRACE_MS = 3_000;
const SWEEP_LIMIT = 500;

/** Queues overdue checks again. */
export class CertificateSweeper implements MaintenanceTask {
  readonly name = 'certificates';

  /** @param intervalMs interval between two sweeps, in milliseconds */
  constructor(
    readonly intervalMs: number,
    private readonly registry: CertificateRegistry,
    private readonly jobs: CertificateJobs,
  ) {}

  /** Queues the checks that are overdue. */
  async run(): Promise<void> {
    const overdue = await this.registry.listDue(new Date(Date.now() - GRACE_MS), SWEEP_LIMIT);
    for (const { id, dueAt } of overdue) this.jobs.schedule(id, dueAt);
  }
}
