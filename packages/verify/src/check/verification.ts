import type { Checkpoint } from '../log/checkpoint.js';
import type { ExportedEvent } from '../readers/event-line.js';
import type { Findings, Place } from './finding.js';
import { LogCheck, type Evidence, type LogResult } from './log-check.js';
import { sealedEvent } from './sealed-event.js';

/** Compares the events of an export with the checkpoints of its logs. */
export class Verification {
  private readonly logs: ReadonlyMap<string, LogCheck>;
  /** Events in lines of an export of Waybill, which do not show what the target holds. */
  ofWaybill = 0;

  /** @param checkpoints whose signatures were verified @param findings gets what is wrong */
  constructor(
    checkpoints: readonly Checkpoint[],
    readonly findings: Findings,
  ) {
    const logs = new Set(checkpoints.map(({ origin }) => origin));
    const headsOf = (log: string) => checkpoints.filter(({ origin }) => origin === log).toSorted(bySize);
    this.logs = new Map(Array.from(logs, (log) => [log, new LogCheck(log, headsOf(log), findings)] as const));
  }

  /** Adds an event of the export. */
  add(exported: ExportedEvent, place: Place): void {
    if (exported.isOfWaybill) this.ofWaybill += 1;
    const event = sealedEvent(exported);
    const { eventId: event_id, sequence } = event;
    if ('verdict' in event) {
      this.findings.add({ verdict: event.verdict, sequence, event_id, ...place, reason: event.reason });
      return;
    }
    const { log } = event;
    const check = this.logs.get(log);
    if (check !== undefined) check.add(event, place);
    else if ([...this.logs.keys()].some((known) => destinationOf(known) === destinationOf(log)))
      this.findings.add({
        verdict: 'wrong_epoch',
        log,
        sequence,
        event_id,
        ...place,
        reason: 'no checkpoint of this epoch is given',
      });
    else this.findings.add({ verdict: 'foreign', log, sequence, event_id, ...place, reason: 'of another destination' });
  }

  /** Returns the result of each log. @param evidenceOf what is there of a log */
  async finish(evidenceOf: (log: string) => Evidence): Promise<readonly LogResult[]> {
    const results: LogResult[] = [];
    for (const [log, check] of this.logs) results.push(await check.finish(evidenceOf(log)));
    return results;
  }
}

function bySize(a: Checkpoint, b: Checkpoint): number {
  return a.size - b.size;
}

/** Returns an origin without its epoch. */
function destinationOf(origin: string): string {
  return origin.slice(0, origin.lastIndexOf('/'));
}
