/** The event types that report the health of destinations. */
export const healthEventTypes = {
  statusChanged: 'event_destination_status_changed.v0',
  deliveryRejected: 'event_delivery_rejected.v0',
} as const;

export type HealthEventType = (typeof healthEventTypes)[keyof typeof healthEventTypes];

const types: ReadonlySet<string> = new Set(Object.values(healthEventTypes));

/** Whether an event reports the health of a destination. No further such event is made because of it. */
export function isHealthEvent(type: string): boolean {
  return types.has(type);
}
