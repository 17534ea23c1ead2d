import type { Finding, Verdict } from './finding.js';

/** Each verdict in words, the gravest first. */
export const verdicts: readonly (readonly [verdict: Verdict, meaning: string])[] = [
  ['forged_checkpoint', 'FORGED CHECKPOINT: it was changed after it was signed, or is none'],
  ['unknown_key', 'UNKNOWN KEY: the checkpoint, or the erasure record, is not signed by a given key'],
  ['not_cosigned', 'NOT COSIGNED: fewer cosigners than needed have signed the checkpoint'],
  ['forked_log', 'FORKED LOG: the log has stated two trees that do not extend each other'],
  ['forged_erasure', 'FORGED ERASURE RECORD: it was changed after it was signed, or is none'],
  ['foreign_erasure', 'FOREIGN ERASURE RECORD: of a log whose checkpoint was not given'],
  [
    'unannounced_erasure',
    'UNANNOUNCED ERASURE RECORD: no event of the destination has it, so its events do not count as erased',
  ],
  ['altered', 'ALTERED: the content is not what the log has'],
  ['reordered', 'REORDERED: the event has the sequence of another'],
  ['altered_repeat', 'ALTERED REPEAT: the sequence is there with different contents'],
  ['missing', 'MISSING: in the log, and not in the export'],
  ['cut_at_the_end', 'CUT AT THE END: the log has more events than the export'],
  ['foreign', 'FOREIGN: not an event of this log'],
  ['not_covered', 'NOT COVERED: an event of this log, and of no proof that was given'],
  ['wrong_epoch', 'WRONG EPOCH: of an epoch whose checkpoint was not given'],
  ['unreadable', 'UNREADABLE: the line holds no event'],
];

/** Returns `1 event`, `2 events`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Returns the words for the place and the sequence of a finding: `4  evt_1  export.ndjson, line 4`. */
export function placeOf({ sequence, last_sequence: last = sequence, event_id: id, file, line }: Finding): string {
  const sequences = sequence === undefined ? '' : `${sequence}${last === sequence ? '' : ` to ${last}`}`;
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `, line ${line}`}`;
  return [sequences, id, place].filter(Boolean).join('  ');
}

/** Characters that end a line, control a terminal, or change the order of what is shown. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text as one line: what it holds from elsewhere forges no other line, and does not control a terminal. */
export function oneLine(text: string): string {
  return text.replaceAll(unprintable, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
