import type { DestinationExports, ExportRecord } from './export-record.js';

/** Time to the first read of an export under way, in milliseconds. It doubles with each read. */
const FIRST_POLL_MS = 100;

/** Longest time between two reads, in milliseconds. */
const LONGEST_POLL_MS = 1_000;

/**
 * Time without progress after which it is said what is missing, in milliseconds. Twice as long as an export waits for
 * the next worker after its own has died (docs/decisions/event-log.md).
 */
const NOTICE_MS = 60_000;

/** Default of the longest wait without progress, in minutes: an export waits for open transactions for five at most. */
export const LONGEST_WAIT_MINUTES = 15;

/** An export that is not complete, and whether it progresses. */
export interface AwaitedExport {
  readonly id: string;
  readonly step: 'waiting' | 'writing';
  /** Events that are written. */
  readonly done: number;
  /** Since when it has made no progress, RFC 3339; null in the first minute. */
  readonly stalledSince: string | null;
}

/** How an export is awaited. */
export interface WaitControl {
  readonly onWait?: (awaited: AwaitedExport) => void;
  /** Longest wait without progress, in minutes; default: 15. */
  readonly longestWaitMinutes?: number;
  /** Waits; default: by the clock. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/**
 * Waits until an export is neither pending nor running.
 * @throws Error when it makes no progress for too long; it is cancelled then, if it can be
 */
export async function ended(
  exports: DestinationExports,
  created: ExportRecord,
  { onWait, longestWaitMinutes = LONGEST_WAIT_MINUTES, sleep = byClock }: WaitControl,
): Promise<ExportRecord> {
  let since = new Date();
  let idleMs = 0;
  let pollMs = FIRST_POLL_MS;
  for (let one = created; ;) {
    if (one.state !== 'pending' && one.state !== 'running') return one;
    const stalledSince = idleMs >= NOTICE_MS ? since.toISOString() : null;
    const step = one.state === 'pending' ? 'waiting' : 'writing';
    onWait?.({ id: one.id, step, done: one.progress.events, stalledSince });
    if (idleMs >= longestWaitMinutes * 60_000) {
      const cancelled = await cancelledOf(exports, one.id);
      // It ended in this moment.
      if (typeof cancelled === 'object') return cancelled;
      throw new Error(
        `Waybill's export ${one.id} has made no progress for ${longestWaitMinutes} minutes, since ${since.toISOString()}: ${missingWorker(step)}. ${cancelled} Start a worker if none runs, and compare again.`,
      );
    }
    await sleep(pollMs);
    const next = await exports.get(one.id);
    if (progressOf(next) === progressOf(one)) idleMs += pollMs;
    else {
      idleMs = 0;
      since = new Date();
    }
    pollMs = Math.min(2 * pollMs, LONGEST_POLL_MS);
    one = next;
  }
}

/** Cancels an export. Returns what to say of that, or the export when it has ended before. */
async function cancelledOf(exports: DestinationExports, id: string): Promise<string | ExportRecord> {
  try {
    await exports.cancel(id);
    return 'It was cancelled.';
  } catch (error) {
    const one = await exports.get(id);
    if (one.state === 'completed' || one.state === 'failed') return one;
    return `It could not be cancelled: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Says what an export waits for, since when, and what to do; null while it progresses. */
export function stallNotice({ id, step, stalledSince }: AwaitedExport): string | null {
  if (stalledSince === null) return null;
  return `Waybill's export ${id} has made no progress since ${stalledSince}: ${missingWorker(step)}. Start a worker if none runs.`;
}

function missingWorker(step: AwaitedExport['step']): string {
  return step === 'waiting' ? 'no worker has begun it' : 'its worker has died or hangs, and no other one continues it';
}

/** Returns what changes while an export progresses: also while it reads events that it leaves out. */
function progressOf({ state, progress }: ExportRecord): string {
  return JSON.stringify([state, progress.events, progress.reached_at]);
}

function byClock(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
