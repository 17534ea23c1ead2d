import type { BatchLimits, DeliverableEvent } from '../../../src/targets/target.js';

/** Part of every payload, to detect a payload in an outcome. */
export const PAYLOAD_MARKER = 'conformance-payload-marker';

/**
 * Returns an event as delivery passes it to a target. `text` is part of the payload; `bytes` pads the payload to that
 * size in UTF-8; `resource` numbers the resource that changed, by default one per event.
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
      resource_id: resourceId,
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

/** Returns events with the sequences 1 to `count`. */
export function exampleEvents(count: number, options?: Parameters<typeof exampleEvent>[1]): DeliverableEvent[] {
  return Array.from({ length: count }, (_, index) => exampleEvent(index + 1, options));
}

/** Returns the bytes that delivery counts for an event when it claims a batch (`BatchLimits`). */
export function claimedBytes(event: DeliverableEvent, limits: BatchLimits): number {
  return Math.ceil(Buffer.byteLength(event.json) * limits.expansion) + limits.overheadBytes;
}

/** Returns the largest batch of 64 KiB events that delivery claims: its last event fills the batch to the byte. */
export function fullestBatch(limits: BatchLimits): DeliverableEvent[] {
  const events: DeliverableEvent[] = [];
  const largest = 64 * 1024;
  let left = limits.batchBytes;
  while (events.length < limits.records) {
    const bytesLeft = Math.floor((left - limits.overheadBytes) / limits.expansion);
    if (bytesLeft < 1024) break;
    const event = exampleEvent(events.length + 1, { bytes: Math.min(largest, bytesLeft) });
    events.push(event);
    left -= claimedBytes(event, limits);
  }
  return events;
}
