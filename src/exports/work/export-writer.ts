import { createHash } from 'node:crypto';
import { completeSince } from '../../database/complete-since.js';
import type { RetentionMarks } from '../../database/partitions/retention-marks.js';
import type { Projections } from '../../delivery/lanes/projections.js';
import type { DeliveryViewStore } from '../../destinations/deliveries/view/delivery-view-store.js';
import { integrityOf } from '../../destinations/deliveries/view/delivery-view.js';
import type { LaneViewStore } from '../../destinations/status/lane-view-store.js';
import type { StoredEvent } from '../../events/envelope/stored-event.js';
import { timeIn } from '../../events/log/event-filter.js';
import type { EventSearchStore } from '../../events/log/event-search-store.js';
import { timeOfId } from '../../ids/id-time.js';
import { ExportFailure } from '../export-failure.js';
import { fileOf, kindsReadBy, type Export, type ExportManifest, type ExportProgress } from '../export.js';
import { lineFormats } from '../formats/export-format.js';
import type { ExportedDelivery } from '../formats/line-format.js';
import type { ExportStorage, Upload } from '../storage/export-storage.js';
import { ExportTally } from './export-tally.js';

/** Most events that are in memory at once, within `PAGE_BYTES` of payloads, and as much again where `fields` apply. */
export const EVENTS_OF_PAGE = 250;

/** Bytes that are written at once, about. */
const CHUNK_BYTES = 262_144;

/** Dependencies of ExportWriter. */
export interface ExportWriterParts {
  readonly events: Pick<EventSearchStore, 'page'>;
  readonly deliveries: Pick<DeliveryViewStore, 'statesOf'>;
  /** Begins the origin of each log. */
  readonly logName: string;
  readonly lanes: Pick<LaneViewStore, 'exists'>;
  readonly marks: Pick<RetentionMarks, 'completeSince'>;
  /** Reads what a destination receives instead of whole events. */
  readonly projections: (destinationId: string, eventIds: readonly string[]) => Promise<Pick<Projections, 'of'>>;
  readonly storage: ExportStorage;
}

/** How an attempt is ended early, and to whom it reports. */
export interface WriteControl {
  readonly signal: AbortSignal;
  readonly report: (progress: ExportProgress) => void;
}

/**
 * Writes the file of an export, oldest event first, and makes its manifest. The memory does not depend on the events.
 */
export class ExportWriter {
  constructor(private readonly parts: ExportWriterParts) {}

  /**
   * Writes the file of an attempt, and returns the manifest. What was written is removed when it ends early.
   * @throws ExportFailure when no event matches, and when the destination was deleted; StorageError; the reason of the
   * signal; errors of the database
   */
  async write(one: Export, control: WriteControl): Promise<ExportManifest> {
    const upload = await this.parts.storage.begin(fileOf(one), control.signal);
    try {
      const manifest = await this.fill(one, upload, control);
      await upload.finish();
      return manifest;
    } catch (error) {
      await upload.abort();
      throw error;
    }
  }

  private async fill(one: Export, upload: Upload, control: WriteControl): Promise<ExportManifest> {
    const { destination_id: destinationId } = one;
    await this.requireDestination(one);
    const format = lineFormats[one.format];
    const tally = new ExportTally();
    const file = new HashedFile(upload);
    await file.write(format.head(destinationId !== null));
    for await (const { events, reached_at } of this.pages(one, control.signal)) {
      const kept = events.filter(({ erasureId }) => erasureId === null);
      tally.erased += events.length - kept.length;
      for (const { event, delivery } of await this.lines(one, kept)) {
        tally.add(event, delivery);
        await file.write(format.line(event, delivery));
      }
      control.report({ events: tally.count, bytes: file.bytes, reached_at });
    }
    control.signal.throwIfAborted();
    await this.requireDestination(one);
    const since = await this.completeSince(one);
    const whole = { name: `${one.id}.${one.format}`, ...(await file.end()) };
    const manifest = tally.manifest(one, whole, since);
    if (manifest === null) throw new ExportFailure('nothing_to_export', nothingToExport(one, since));
    return manifest;
  }

  /**
   * Refuses the export of a destination that is deleted: its deliveries have lost their epochs, and maybe their states.
   * @throws ExportFailure
   */
  private async requireDestination({ account_id: accountId, destination_id: destinationId }: Export): Promise<void> {
    if (destinationId === null || (await this.parts.lanes.exists(accountId, destinationId))) return;
    throw new ExportFailure('destination_deleted', 'The event destination was deleted before all events were read.');
  }

  /** Returns since when the file misses nothing that was removed. To be called when all events are read. */
  private async completeSince(one: Export): Promise<Date | null> {
    const from = timeIn(one.filter.from);
    const removed = await this.parts.marks.completeSince(one.account_id, kindsReadBy(one.destination_id), from);
    // The time at the creation has that of the preparation for the search, which only goes back since.
    return completeSince(from, [one.complete_since, removed]);
  }

  /**
   * Returns a line for each event or, with a destination, for its delivery there, if it has one. The payload is what
   * the destination receives.
   */
  private async lines(
    { account_id: accountId, destination_id: destinationId }: Export,
    events: readonly StoredEvent[],
  ): Promise<readonly { readonly event: StoredEvent; readonly delivery: ExportedDelivery | null }[]> {
    if (destinationId === null) return events.map((event) => ({ event, delivery: null }));
    if (events.length === 0) return [];
    const ids = events.map(({ id }) => id);
    const deliveries = await this.parts.deliveries.statesOf(accountId, destinationId, ids);
    const projections = await this.parts.projections(destinationId, ids);
    return events.flatMap((event) => {
      const projection = projections.of(event.id);
      const line = projection ? { ...event, payload: projection.payload } : event;
      const projected = projection !== undefined;
      return (deliveries.get(event.id) ?? []).map((delivery) => {
        const salted = projection ? { ...delivery, salt: projection.salt } : delivery;
        return {
          event: line,
          delivery: { ...delivery, projected, integrity: integrityOf(salted, this.parts.logName) },
        };
      });
    });
  }

  private async *pages(one: Export, signal: AbortSignal) {
    for (let afterId: string | undefined; ;) {
      signal.throwIfAborted();
      const range = { order: 'oldest_first', before_id: one.before_id, after_id: afterId } as const;
      const { events, resumeAt } = await this.parts.events.page(one.account_id, one.filter, range, EVENTS_OF_PAGE);
      const last = events.at(-1);
      const next = events.length < EVENTS_OF_PAGE ? resumeAt : (last?.id ?? null);
      const reached = next ?? last?.id ?? null;
      yield { events, reached_at: reached === null ? null : timeOfId(reached) };
      if (next === null) return;
      afterId = next;
    }
  }
}

/** Returns why a file would be empty. */
function nothingToExport({ destination_id: destinationId }: Export, since: Date | null): string {
  const none = `No event ${destinationId === null ? '' : 'with a delivery to the destination '}matches the filter.`;
  if (since === null) return none;
  const removed = destinationId === null ? 'Events' : 'Events, or their deliveries,';
  return `${none} ${removed} from before ${since.toISOString()} may have been removed: see GET /retention.`;
}

/** Writes text in chunks, and hashes it. */
class HashedFile {
  bytes = 0;
  private readonly hash = createHash('sha256');
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  constructor(private readonly upload: Upload) {}

  async write(text: string): Promise<void> {
    if (text === '') return;
    const part = Buffer.from(text);
    this.waiting.push(part);
    this.waitingBytes += part.length;
    this.bytes += part.length;
    if (this.waitingBytes >= CHUNK_BYTES) await this.flush();
  }

  /** Writes the rest. Returns size and SHA-256 of the whole. */
  async end(): Promise<{ bytes: number; sha256: string }> {
    await this.flush();
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }

  private async flush(): Promise<void> {
    if (this.waitingBytes === 0) return;
    const chunk = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    this.hash.update(chunk);
    await this.upload.write(chunk);
  }
}
