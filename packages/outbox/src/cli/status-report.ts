import { MOST_COUNTED, type RelayStatus, type WaitingFor } from '../relay/status-store.js';

/** Formats the state of the outbox as lines of a name and a value. */
export function statusReport(status: RelayStatus, now = new Date()): string {
  const { oldestRecordedAt, lastPublishedAt, waitingFor } = status;
  const rows: readonly (readonly [string, string])[] = [
    ['waiting', counted(status.waiting)],
    [
      'oldest waiting',
      oldestRecordedAt === null ? '-' : `${oldestRecordedAt.toISOString()}, ${age(oldestRecordedAt, now)}`,
    ],
    ['held by rejected events', counted(status.held)],
    ['rejected', counted(status.rejected)],
    ...status.rejectedTypes.map(({ type, errorCode, count, reason }): readonly [string, string] => [
      `  ${type}`,
      `${count} with ${errorCode ?? '-'}, such as: ${reason}`,
    ]),
    ['published', String(status.published)],
    [
      'last published',
      lastPublishedAt === null ? '-' : `${lastPublishedAt.toISOString()}, ${age(lastPublishedAt, now)}`,
    ],
    ['relay', status.holder ?? 'none publishes'],
    ['last error', status.lastError ?? '-'],
    ['waits for', waitingFor === null ? '-' : transaction(waitingFor)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

/**
 * Returns whether an operator has to look at the outbox: an event is rejected, or has waited for longer than a time.
 * @param maxAgeS in seconds
 */
export function needsAttention(
  { rejected, oldestRecordedAt }: RelayStatus,
  maxAgeS: number,
  now = new Date(),
): boolean {
  const ageMs = oldestRecordedAt === null ? 0 : now.getTime() - oldestRecordedAt.getTime();
  return rejected > 0 || ageMs > maxAgeS * 1_000;
}

function counted(count: number): string {
  return count < MOST_COUNTED ? String(count) : `${count} or more`;
}

function age(since: Date, now: Date): string {
  return `${Math.max(0, Math.round((now.getTime() - since.getTime()) / 1_000))} s ago`;
}

function transaction({ pid, prepared, applicationName, ageMs }: WaitingFor): string {
  const name = pid === null ? `prepared transaction ${prepared}` : `transaction of process ${pid}`;
  const details = [
    ...(applicationName ? [`application ${applicationName}`] : []),
    ...(ageMs === null ? [] : [`open for ${Math.round(ageMs / 1_000)} s`]),
  ];
  return [name, ...details].join(', ');
}
