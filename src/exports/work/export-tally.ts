import type { DeliveryViewState } from '../../destinations/deliveries/view/delivery-view.js';
import type { StoredEvent } from '../../events/envelope/stored-event.js';
import type { Export, ExportManifest } from '../export.js';
import type { ExportedDelivery } from '../formats/line-format.js';

interface NumberRange {
  readonly epoch: number;
  first: number;
  last: number;
  count: number;
}

/** Counts what is written to a file, for its manifest. Its size does not grow with the number of events. */
export class ExportTally {
  count = 0;
  /** Events that are left out, since they were erased. */
  erased = 0;
  private projected = 0;
  private first: Date | null = null;
  private last: Date | null = null;
  private readonly ranges = new Map<number, NumberRange>();
  private readonly states = new Map<DeliveryViewState, number>();

  add({ createdAt }: StoredEvent, delivery: ExportedDelivery | null): void {
    this.count += 1;
    // In the order of ids, times may go back by the difference of two clocks.
    if (this.first === null || createdAt < this.first) this.first = createdAt;
    if (this.last === null || createdAt > this.last) this.last = createdAt;
    if (delivery === null) return;
    if (delivery.projected) this.projected += 1;
    this.states.set(delivery.state, (this.states.get(delivery.state) ?? 0) + 1);
    if (delivery.epoch !== null && delivery.sequence !== null) this.addNumber(delivery.epoch, delivery.sequence);
  }

  private addNumber(epoch: number, sequence: number): void {
    const range = this.ranges.get(epoch);
    if (!range) {
      this.ranges.set(epoch, { epoch, first: sequence, last: sequence, count: 1 });
      return;
    }
    range.first = Math.min(range.first, sequence);
    range.last = Math.max(range.last, sequence);
    range.count += 1;
  }

  /**
   * Returns the manifest of the file; null when no event was added.
   * @param completeSince since when the file misses nothing that was removed; null: it misses nothing
   */
  manifest(one: Export, file: ExportManifest['file'], completeSince: Date | null): ExportManifest | null {
    const { first, last } = this;
    if (first === null || last === null) return null;
    const isOfDestination = one.destination_id !== null;
    return {
      export_id: one.id,
      account_id: one.account_id,
      format: one.format,
      filter: one.filter,
      destination_id: one.destination_id,
      created_at: one.created_at.toISOString(),
      completed_at: new Date().toISOString(),
      complete_since: completeSince?.toISOString() ?? null,
      file,
      count: this.count,
      time_range: { first: first.toISOString(), last: last.toISOString() },
      sequence_ranges: isOfDestination ? [...this.ranges.values()].toSorted((a, b) => a.epoch - b.epoch) : null,
      states: isOfDestination ? Object.fromEntries(this.states) : null,
      erased: this.erased,
      projected: isOfDestination ? this.projected : null,
    };
  }
}
