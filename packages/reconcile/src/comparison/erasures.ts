import { notesIn, parseErasure, parseNote } from '@waybill/verify/check';
import { uncertainOf, type UncertainEvent } from './content-result.js';
import { keyOf } from './content.js';
import type { DestinationLogs } from './destination-logs.js';
import type { EpochStart } from './destination-records.js';
import { isAccountedFor, type Missing, type Reconciliation } from './reconcile.js';

/** An erasure record as Waybill serves it. Its signature is not verified. */
export interface ServedErasure {
  readonly erasureId: string;
  readonly epoch: number;
  readonly note: string;
  /** The numbers that it names, of those that it may explain. */
  readonly sequences: readonly number[];
}

/**
 * Returns the erasure records that name a number of which Waybill has no record, or which it has delivered and the
 * files do not hold. Reads none where there is no such number.
 */
export async function erasuresOf(
  found: Reconciliation,
  logs: DestinationLogs,
  epochs: readonly EpochStart[],
): Promise<readonly ServedErasure[]> {
  const open = [...found.missing, ...uncertainOf(found)].filter(mayBeErased);
  const keys = new Set(open.map(keyOf));
  const served: ServedErasure[] = [];
  for (const { epoch, first_sequence: first } of epochs) {
    if (!open.some((one) => one.epoch === epoch)) continue;
    for (const note of notesIn((await logs.notes(epoch, 'erasures')) ?? '')) {
      const record = recordOf(note);
      const sequences: number[] = [];
      for (const [start, end] of record?.ranges ?? [])
        for (let sequence = first + start; sequence < first + end && sequence <= found.last_sequence; sequence += 1)
          if (keys.has(keyOf({ epoch, sequence }))) sequences.push(sequence);
      if (record !== null && sequences.length > 0) served.push({ erasureId: record.erasureId, epoch, note, sequences });
    }
  }
  return served;
}

/** Returns a comparison in which the numbers of erasure records are erased. */
export function withErased(found: Reconciliation, erasures: readonly ServedErasure[]): Reconciliation {
  const ids = new Map<string, string>();
  for (const { erasureId, epoch, sequences } of erasures)
    for (const sequence of sequences) ids.set(keyOf({ epoch, sequence }), erasureId);
  const missing = found.missing.map((one): Missing => {
    const id = mayBeErased(one) ? ids.get(keyOf(one)) : undefined;
    return id === undefined ? one : { ...one, because: 'erased', detail: id };
  });
  const uncertain = uncertainOf(found).map((one): UncertainEvent =>
    mayBeErased(one) && ids.has(keyOf(one)) ? { ...one, because: 'erased' } : one,
  );
  const content = found.content.compared ? { ...found.content, uncertain } : found.content;
  const explained = { ...found, missing, content };
  return { ...explained, accounted_for: isAccountedFor(explained) };
}

function mayBeErased({ because }: Pick<Missing | UncertainEvent, 'because'>): boolean {
  return ['unknown', 'acknowledged', 'no_record', 'before_records'].includes(because);
}

/** Returns what a note says, without verifying its signature; null for what is no erasure record. */
function recordOf(note: string): ReturnType<typeof parseErasure> | null {
  try {
    return parseErasure(parseNote(note).text);
  } catch {
    return null;
  }
}
