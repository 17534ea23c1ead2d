import type { Delivery, Event, EventDestinationStatus, UndeliveredCount } from '@waybill/client';

const NOW = '2026-11-20T08:00:00.000Z';

/** Returns an id of Waybill with a number in it. */
export function idOf(prefix: string, number: number): string {
  return `${prefix}_01jqz8y3s5e0kr6k4f${String(number).padStart(8, '0')}`;
}

/** Returns a list of the API with its last page. */
export function listOf(name: string, items: readonly unknown[] = []): object {
  return { [name]: items, uri: '', next_page_uri: null };
}

/** Returns the status of a destination as the API has it: it is healthy, and nothing waits. */
export function statusOf(number: number, members: Partial<EventDestinationStatus> = {}): EventDestinationStatus {
  const id = idOf('ed', number);
  return {
    id,
    uri: `/event_destinations/${id}/status`,
    description: null,
    target_kind: 'data_stream',
    status: 'healthy',
    since: NOW,
    paused: null,
    muted: null,
    last_error: null,
    pending: 0,
    pending_is_lower_bound: false,
    in_flight: 0,
    oldest_pending_at: null,
    oldest_expires_at: null,
    next_attempt_at: null,
    last_sequence: 7,
    epoch: 1,
    epochs: [{ epoch: 1, first_sequence: 1 }],
    ...members,
  };
}

/** Returns what a destination did not receive as the API has it: one rejected event. */
export function undeliveredOf(number: number, members: Partial<UndeliveredCount> = {}): UndeliveredCount {
  const id = idOf('ed', number);
  const reasons = [{ state: 'rejected' as const, code: 'Malformed', message: 'The record was refused.', count: 1 }];
  return {
    id,
    uri: `/event_destinations/${id}`,
    rejected: 1,
    expired: 0,
    is_lower_bound: false,
    reasons,
    ...members,
  };
}

/** Returns a delivery as the API has it: it was delivered with one attempt. */
export function deliveryOf(number: number, members: Partial<Delivery> = {}): Delivery {
  return {
    id: `dlv_${number}`,
    event_id: idOf('evt', number),
    event_type: 'ip_policy_created.v0',
    destination_id: idOf('ed', 1),
    state: 'delivered',
    sequence: number,
    epoch: 1,
    attempts: [
      { started_at: NOW, outcome: 'delivered', code: null, message: null, http_status: null, duration_ms: 12 },
    ],
    attempt_count: 1,
    error: null,
    created_at: NOW,
    redelivered_at: null,
    finished_at: NOW,
    backfill_id: null,
    ...members,
  };
}

/** Returns the event of a creation as the API has it. */
export function eventOf(number: number): Event & { readonly payload: NonNullable<Event['payload']> } {
  const [id, policy] = [idOf('evt', number), idOf('ipp', number)];
  return {
    id,
    uri: `/events/${id}`,
    created_at: NOW,
    type: 'ip_policy_created.v0',
    resource_id: policy,
    payload: {
      event_id: id,
      event_type: 'ip_policy_created.v0',
      event_timestamp: NOW,
      account_id: 'acc_1',
      resource_id: policy,
      principal: { id: idOf('usr', 1), subject: 'Ada', credential: null },
      version: 1,
      object: {
        id: policy,
        uri: `/ip_policies/${policy}`,
        created_at: NOW,
        description: `Policy ${number}`,
        metadata: null,
      },
      request: { operation_id: idOf('op', 1), ip: '192.0.2.1', user_agent: null },
    },
  };
}

/** Returns an export as the API has it: its file can be downloaded. */
export function exportOf(members: object = {}): object {
  return {
    id: idOf('exp', 1),
    uri: '/exports/exp_1',
    created_at: NOW,
    state: 'completed',
    format: 'ndjson',
    filter: {},
    destination_id: null,
    requested_by: { principal_id: idOf('usr', 1), credential_id: idOf('ak', 1) },
    progress: { events: 599, bytes: 1_000_000, reached_at: NOW },
    error: null,
    manifest: {
      count: 599,
      file: { name: 'events.ndjson', bytes: 1_000_000, sha256: 'a'.repeat(64) },
      time_range: { first: NOW, last: NOW },
      complete_since: null,
    },
    download_uri: '/exports/exp_1/download',
    expires_at: '2126-11-20T08:00:00.000Z',
    ...members,
  };
}
