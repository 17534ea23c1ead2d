import type { Integrity } from '../../delivery/lanes/delivered-event.js';
import type { DeliveryStateView } from '../../destinations/deliveries/view/delivery-view.js';
import type { StoredEvent } from '../../events/envelope/stored-event.js';

/** A delivery to the destination of an export. */
export interface ExportedDelivery extends DeliveryStateView {
  /** Whether the payload is what `fields` of the sources leave of the event, as the destination receives it. */
  readonly projected: boolean;
  /** Null without a number, and for an event whose salt was removed. */
  readonly integrity: Integrity | null;
}

/** How events become lines of a file. */
export interface LineFormat {
  /** Value of Content-Type. */
  readonly mediaType: string;
  /** Returns the text before the first event. */
  head(withDeliveries: boolean): string;
  /**
   * Returns the line of an event, with its line break.
   * @param event with the payload of the line
   * @param delivery its delivery to the destination of the export; null for an export without one
   */
  line(event: StoredEvent, delivery: ExportedDelivery | null): string;
}
