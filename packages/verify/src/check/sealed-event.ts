import { hexToBytes } from '@noble/hashes/utils.js';
import { commitmentOf, leafData, SALT_BYTES } from '../event/leaf.js';
import { hashLeaf } from '../log/merkle.js';
import { isObject } from '../readers/canonical-json.js';
import { withoutColumns } from '../readers/event-form.js';
import type { ExportedEvent } from '../readers/event-line.js';
import { JsonDocument } from '../readers/json-document.js';

/** An event of an export, and the leaf that it leads to. */
export interface SealedEvent {
  readonly eventId: string;
  /** Origin of the log that the event names. */
  readonly log: string;
  /** Index of the leaf that the event names. */
  readonly index: number;
  readonly sequence: number;
  readonly isBackfill: boolean;
  readonly commitment: Uint8Array;
  readonly leafHash: Uint8Array;
  /** The erasure record that the event announces. */
  readonly record?: string;
  /** The checkpoint that the event holds. */
  readonly checkpoint?: string;
}

/** An event that leads to no leaf. */
export interface UnsealedEvent {
  readonly eventId: string;
  readonly sequence: number;
  /** `foreign`: it names no log. `altered`: Waybill delivers no such event. */
  readonly verdict: 'foreign' | 'altered';
  readonly reason: string;
}

/** Type of the event with which a log announces an erasure record. */
export const ERASURE_EVENT = 'event_erasure_recorded.v0';

/** Type of the event with which a destination receives a checkpoint of its log. */
export const CHECKPOINT_EVENT = 'event_destination_checkpoint_signed.v0';

const saltPattern = new RegExp(`^[0-9a-f]{${SALT_BYTES * 2}}$`);

/** Returns the leaf of an event. Every member of the event is a part of it, or of the log that it names. */
export function sealedEvent(exported: ExportedEvent): SealedEvent | UnsealedEvent {
  const { eventId, number, form } = exported;
  const { sequence } = number;
  const unsealed = (verdict: UnsealedEvent['verdict'], reason: string) => ({ eventId, sequence, verdict, reason });
  const event = form === 'row' ? eventOfRow(exported.event) : exported.event;
  const { epoch, sequence: _, backfill, integrity, ...payload } = event;
  if (integrity === undefined) return unsealed('foreign', 'it has no member `integrity`');
  if (!isObject(integrity)) return unsealed('altered', '`integrity` is no object');
  const { log, index, salt, ...others } = integrity;
  if (typeof log !== 'string' || !isIndex(index) || typeof salt !== 'string' || !saltPattern.test(salt))
    return unsealed('altered', '`integrity` has no log, index or salt, or one of another form');
  if (Object.keys(others).length > 0) return unsealed('altered', '`integrity` has more than log, index and salt');
  if (typeof epoch !== 'number' || String(epoch) !== epochIn(log))
    return unsealed('altered', '`epoch` is not that of the log in `integrity`');
  if (backfill !== undefined && backfill !== true) return unsealed('altered', '`backfill` is not true');
  const fault = exported.documents.map((one) => one.fault()).find((one) => one !== null);
  if (fault !== undefined) return unsealed('altered', fault);
  const isBackfill = backfill === true;
  const commitment = commitmentOf(hexToBytes(salt), payload);
  const leafHash = hashLeaf(leafData({ sequence, isBackfill, commitment }));
  return { eventId, log, index, sequence, isBackfill, commitment, leafHash, ...noteIn(payload) };
}

/** Returns the signed note in an event of the log itself. */
function noteIn({ event_type: type, object }: Readonly<Record<string, unknown>>) {
  if ((type !== ERASURE_EVENT && type !== CHECKPOINT_EVENT) || !isObject(object)) return {};
  const { record, checkpoint } = object;
  if (type === ERASURE_EVENT) return typeof record === 'string' ? { record } : {};
  return typeof checkpoint === 'string' ? { checkpoint } : {};
}

/** Returns the epoch of a log: the last part of its origin. */
export function epochOf(log: string): number {
  return Number(epochIn(log));
}

function epochIn(log: string): string {
  return log.slice(log.lastIndexOf('/') + 1);
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Members of an event that may be null. A table of Azure shows null in each column without a value, and an empty text
 * in a column of text. https://learn.microsoft.com/kusto/query/scalar-data-types/null-values
 */
const nullable: ReadonlySet<string> = new Set(['principal']);

/**
 * Returns the event in a row of a table of Azure: without columns of Azure, with objects that are there as text, and
 * with the time of the event in the form in which Waybill writes it.
 */
function eventOfRow(row: ExportedEvent['event']): Readonly<Record<string, unknown>> {
  const members = withoutColumns(row).filter(([name, value]) => (value !== null && value !== '') || nullable.has(name));
  return Object.fromEntries(members.map(([name, value]) => [name, cellOf(name, value)]));
}

function cellOf(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'event_timestamp') return timeOf(value);
  if (!value.startsWith('{')) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return new JsonDocument(value, parsed).fault() === null ? parsed : value;
  } catch {
    return value;
  }
}

/** Returns a time with milliseconds; as it is if it is none, or finer. */
function timeOf(text: string): string {
  const [, seconds = '', fraction = ''] = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.(\d{1,3})0*)?Z$/.exec(text) ?? [];
  return seconds === '' ? text : `${seconds.replace(' ', 'T')}.${fraction.padEnd(3, '0')}Z`;
}
