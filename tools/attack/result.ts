import { textTable } from '../harness/text-table.js';
import { LONGEST_TURN_MS } from './attack.js';
import type { Measured } from './environment/attacked-service.js';
import type { Tally } from './environment/tally.js';
import type { Watched } from './environment/watched.js';

/** Result of one attack. */
export interface AttackResult {
  readonly attack: string;
  readonly title: string;
  readonly seconds: number;
  /** Responses by status, in words. */
  readonly responses: string;
  readonly measured: Measured | null;
  readonly notes: readonly string[];
  /** What did not hold; empty if all did. */
  readonly failures: readonly string[];
}

/** Longest wait of a request of another account: a multiple of the longest one while nothing else ran. */
const LONGEST_WAIT = 30;
/** A shorter wait may be that of a busy machine. */
const NOTICED_MS = 2_000;
/** The same in the short form, which CI runs beside other programs. */
const NOTICED_IN_CI_MS = 6_000;

/**
 * Lists what must hold after every attack and did not.
 * @param isShort whether it is the short form
 */
export function violations(
  tally: Pick<Tally, 'faults' | 'requests'>,
  { longestTurnMs, neighbour }: Measured,
  quiet: Watched,
  isShort = false,
): readonly string[] {
  const noticedMs = isShort ? NOTICED_IN_CI_MS : NOTICED_MS;
  const refused = Object.entries(neighbour.statuses).filter(([status]) => status !== '200');
  const waited = neighbour.longestMs > Math.max(noticedMs, LONGEST_WAIT * quiet.neighbour.longestMs);
  return [
    ...(longestTurnMs === null ? ['the process ended'] : []),
    ...(tally.requests > 0 ? [] : ['no request was sent']),
    ...tally.faults,
    ...(longestTurnMs !== null && longestTurnMs > LONGEST_TURN_MS
      ? [`a turn of the event loop took ${longestTurnMs.toFixed(0)} ms of CPU time`]
      : []),
    ...refused.map(
      ([status, count]) => `${count} requests of another account got ${status === '0' ? 'no response' : status}`,
    ),
    ...(waited ? [`a request of another account waited ${(neighbour.longestMs / 1_000).toFixed(1)} s`] : []),
  ];
}

const head = ['attack', 'responses', 'longest turn ms', 'memory MB', '/livez', 'neighbour', 'seconds', 'verdict'];

/**
 * Formats results as a text table. The waits of `/livez` and of the neighbour are the longest ones, as multiples of the
 * longest ones while nothing else ran.
 */
export function table(results: readonly AttackResult[], quiet: Watched): string {
  const rows = results.map(({ attack, responses, measured, seconds, failures }) => [
    attack,
    responses,
    measured?.longestTurnMs?.toFixed(0) ?? '',
    measured?.memoryMb?.toFixed(0) ?? '',
    measured ? times(measured.live.longestMs, quiet.live.longestMs) : '',
    measured ? times(measured.neighbour.longestMs, quiet.neighbour.longestMs) : '',
    seconds.toFixed(0),
    failures.length === 0 ? 'held' : 'FELL',
  ]);
  const layout = textTable(head, rows, (column) => column >= 2 && column <= 6);
  return [layout.head, ...rows.map(layout.line)].join('\n');
}

const times = (ms: number, quietMs: number) => `${(ms / quietMs).toFixed(1)} ×`;

/** Formats the failures and notes of each result as a line. */
export function remarks(results: readonly AttackResult[]): string {
  return results
    .map(({ attack, title, notes, failures }) =>
      [`${attack}: ${title}`, ...failures.map((failure) => `FELL: ${failure}`), ...notes].join('; '),
    )
    .join('\n');
}
