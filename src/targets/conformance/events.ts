import type { BatchLimits, DeliverableEvent } from '../target.js';

/** What stands in every payload, so that a payload in an outcome is noticed. */
export const PAYLOAD_MARKER = 'conformance-payload-marker';

/**
 * An event as delivery hands it to a target. `text` goes into the payload; `bytes` fills the payload up to that size in UTF-8;
 * `resource` numbers the resource that changed: each event has one of its own unless told.
 */
export function exampleEvent(
  sequence: number,
  {
    text = '',
    bytes = 0,
    timestampMs = Date.now(),
    resource = sequence,
  }: { text?: string; bytes?: number; timestampMs?: number; resource?: number } = {},
): DeliverableEvent {
  const id = `evt_${String(sequence).padStart(26, '0')}`;
  const type = 'ip_policy_created.v0';
  const resourceId = `ipp_${String(resource).padStart(10, '0')}`;
  const json = (padding: number): string =>
    JSON.stringify({
      event_id: id,
      event_type: type,
      event_timestamp: new Date(timestampMs).toISOString(),
      object: { id: resourceId, description: PAYLOAD_MARKER + text + 'x'.repeat(padding) },
      sequence,
    });
  const shortest = json(0);
  const missing = bytes - Buffer.byteLength(shortest);
  return {
    id,
    type,
    sequence,
    timestampMs,
    resourceId,
    json: missing > 0 ? json(missing) : shortest,
  };
}

/** Events with the sequences 1 to `count`. */
export function exampleEvents(
  count: number,
  options?: Parameters<typeof exampleEvent>[1],
): DeliverableEvent[] {
  return Array.from({ length: count }, (_, index) => exampleEvent(index + 1, options));
}

/** What delivery counts an event as when it claims a batch (see BatchLimits). */
export function claimedBytes(event: DeliverableEvent, limits: BatchLimits): number {
  return Math.ceil(Buffer.byteLength(event.json) * limits.expansion) + limits.overheadBytes;
}

/** The fullest batch of 64 KiB events that delivery would claim: its last event fills the batch to the byte. */
export function fullestBatch(limits: BatchLimits): DeliverableEvent[] {
  const events: DeliverableEvent[] = [];
  const largest = 64 * 1024;
  let left = limits.batchBytes;
  while (events.length < limits.records) {
    const room = Math.floor((left - limits.overheadBytes) / limits.expansion);
    if (room < 1024) break;
    const event = exampleEvent(events.length + 1, { bytes: Math.min(largest, room) });
    events.push(event);
    left -= claimedBytes(event, limits);
  }
  return events;
}
