import type { ReceivedEvent } from '@waybill/sandbox';
import {
  eventsOfLine,
  Findings,
  notesIn,
  openCheckpoint,
  openErasure,
  parseNote,
  parseVkey,
  tilePath,
  Verification,
  type Checkpoint,
  type Evidence,
  type ExportedEvent,
  type LogResult,
  type NoteKey,
} from '@waybill/verify';
import { checkpointEvent } from '../../src/events/catalogue/checkpoint-event.js';
import type { ApiClient } from './api-client.js';

/** What the logs of a destination say about its arrivals. */
export interface VerifiedArrivals {
  readonly logs: readonly LogResult[];
  readonly findings: Findings;
  /** Arrivals after the newest checkpoint, without signed checkpoints: no log is signed because of those alone. */
  readonly unsealed: number;
}

/** Returns the verifier keys of the logs. */
export async function verifierKeys(api: ApiClient): Promise<readonly NoteKey[]> {
  const text = await api.file('/.well-known/waybill-log-keys');
  return String(text).trim().split('\n').map(parseVkey);
}

/**
 * Verifies the arrivals at a destination with its logs: each event, and each checkpoint that has arrived. Events that
 * erasure records of the logs name may be missing. Events of an epoch without a checkpoint are unsealed.
 * @throws Error if the API, a checkpoint or an erasure record is refused
 */
export async function verifyArrivals(
  api: ApiClient,
  destinationId: string,
  received: readonly Pick<ReceivedEvent, 'body'>[],
  keys: readonly NoteKey[],
  isAccountedFor: Evidence['isAccountedFor'] = () => false,
): Promise<VerifiedArrivals> {
  const arrivals = received.flatMap(({ body }) => eventsOfLine(body));
  const newest = new Map<number, Checkpoint>();
  for (const epoch of new Set(arrivals.map(({ number }) => number.epoch))) {
    const note = await api.file(`${logPath(destinationId, epoch)}/checkpoint`);
    if (note !== null) newest.set(epoch, openCheckpoint(note.toString(), keys));
  }
  const heads = [...newest.values()];
  const arrived = arrivals.filter(isCheckpoint).map((event) => openCheckpoint(noteOf(event), keys));
  // A later one is of numbers that a restore has undone.
  const earlier = arrived.filter(({ origin, size }) => heads.some((one) => one.origin === origin && size <= one.size));
  const erasures: GivenErasure[] = [];
  for (const epoch of newest.keys()) {
    const file = `${logPath(destinationId, epoch)}/erasures`;
    for (const note of notesIn(String((await api.file(file)) ?? '')))
      erasures.push({ record: openErasure(note, keys), text: parseNote(note).text, file });
  }
  const verification = new Verification([...earlier, ...heads], new Findings(), erasures);
  let unsealed = 0;
  for (const [at, event] of arrivals.entries()) {
    const head = newest.get(event.number.epoch);
    if (head !== undefined) verification.add(event, { file: destinationId, line: at + 1 });
    if (!isCheckpoint(event) && indexOf(event) >= (head?.size ?? 0)) unsealed += 1;
  }
  const logs = await verification.finish((log) => ({
    tiles: async (tile) => {
      const hashes = await api.file(`${logPath(destinationId, log.slice(log.lastIndexOf('/') + 1))}/${tilePath(tile)}`);
      return hashes ?? new Uint8Array();
    },
    readEvents: async () => {},
    isAccountedFor,
  }));
  return { logs, findings: verification.findings, unsealed };
}

type GivenErasure = NonNullable<ConstructorParameters<typeof Verification>[2]>[number];

function logPath(destinationId: string, epoch: number | string): string {
  return `/event_destinations/${destinationId}/log/${epoch}`;
}

function isCheckpoint({ event }: ExportedEvent): boolean {
  return event.event_type === checkpointEvent.type;
}

function noteOf({ event }: ExportedEvent): string {
  return checkpointEvent.read.parse(event.object).checkpoint;
}

function indexOf({ event }: ExportedEvent): number {
  return (event.integrity as { readonly index: number }).index;
}
