import type { ReceivedEvent } from '@waybill/sandbox';
import {
  erasuresIn,
  eventsOfLine,
  Findings,
  openCheckpoint,
  parseVkey,
  tilePath,
  Verification,
  type Checkpoint,
  type Evidence,
  type ExportedEvent,
  type GivenErasure,
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
  const findings = new Findings();
  const erasures: GivenErasure[] = [];
  for (const epoch of newest.keys()) {
    const file = `${logPath(destinationId, epoch)}/erasures`;
    erasures.push(...erasuresIn(String((await api.file(file)) ?? ''), file, keys, findings));
  }
  const verification = new Verification([...newest.values()], keys, findings);
  let unsealed = 0;
  for (const [at, event] of arrivals.entries()) {
    const head = newest.get(event.number.epoch);
    if (head !== undefined) verification.add(event, { file: destinationId, line: at + 1 });
    // The keys are known: another signature is no stranger's, as it is for `Verification`.
    if (isCheckpoint(event)) openCheckpoint(noteOf(event), keys);
    else if (indexOf(event) >= (head?.size ?? 0)) unsealed += 1;
  }
  const evidenceOf = (log: string): Evidence => ({
    tiles: async (tile) => {
      const hashes = await api.file(`${logPath(destinationId, log.slice(log.lastIndexOf('/') + 1))}/${tilePath(tile)}`);
      return hashes ?? new Uint8Array();
    },
    readEvents: async () => {},
    isAccountedFor,
  });
  const logs = await verification.finish(evidenceOf, erasures);
  return { logs, findings, unsealed };
}

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
