import type { DeliveryStateView } from '../../delivery/views/delivery-view.js';
import type { StoredEvent } from '../../events/stored-event.js';

/** How events become lines of a file. */
export interface LineFormat {
  /** Value of Content-Type. */
  readonly mediaType: string;
  /** Returns the text before the first event. */
  head(withDeliveries: boolean): string;
  /**
   * Returns the line of an event, with its line break.
   * @param delivery its delivery to the destination of the export; null for an export without one
   */
  line(event: StoredEvent, delivery: DeliveryStateView | null): string;
}
