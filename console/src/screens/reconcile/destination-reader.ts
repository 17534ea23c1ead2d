import type { Delivery } from '@waybill/client';
import type { DeliveryRecord, DestinationRecords, DestinationStatus } from '@waybill/reconcile';
import { pagesOf } from '../../api/pages.js';
import { request } from '../../api/request.js';
import { patiently } from './patiently.js';

/** Deliveries of a page. */
const PAGE = 100;

/** Reads what Waybill reports of a destination, for a comparison. */
export class DestinationReader implements DestinationRecords {
  private read = 0;

  /** @param onRead called with the number of deliveries that were read */
  constructor(
    private readonly id: string,
    private readonly onRead: (deliveries: number) => void,
  ) {}

  /** @throws ProblemError, ConnectionError */
  status(): Promise<DestinationStatus> {
    return patiently(() => request('GET', '/event_destinations/{id}/status', { path: { id: this.id } }));
  }

  /** Yields the deliveries in a state, newest first. @throws ProblemError, ConnectionError */
  async *deliveries(state: DeliveryRecord['state']): AsyncGenerator<DeliveryRecord> {
    const read = (before?: string) =>
      patiently(() =>
        request('GET', '/event_destinations/{id}/deliveries', {
          path: { id: this.id },
          query: { state, limit: PAGE, before_id: before },
        }),
      );
    for await (const { deliveries } of pagesOf(read)) {
      this.read += deliveries.length;
      this.onRead(this.read);
      yield* deliveries.filter((one): one is Delivery & DeliveryRecord => one.state === state);
    }
  }
}
