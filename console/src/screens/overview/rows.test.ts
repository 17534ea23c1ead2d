import type { EventDestinationStatus } from '@waybill/client';
import { describe, expect, it } from 'vitest';
import type { Receivers } from '../../api/subscriptions.js';
import { matching, rowsOf, totalsOf } from './rows.js';

function status(id: string, change: Partial<EventDestinationStatus> = {}): EventDestinationStatus {
  return {
    id,
    uri: `/event_destinations/${id}/status`,
    description: null,
    target_kind: 'data_stream',
    status: 'healthy',
    since: '2026-11-23T00:00:00Z',
    paused: null,
    muted: null,
    last_error: null,
    pending: 0,
    pending_is_lower_bound: false,
    in_flight: 0,
    oldest_pending_at: null,
    oldest_expires_at: null,
    next_attempt_at: null,
    last_sequence: 0,
    epoch: 1,
    epochs: [{ epoch: 1, first_sequence: 1 }],
    ...change,
  };
}

const serviceOf = (kind: string) => (kind === 'data_stream' ? 'Kinesis Data Streams' : kind);

describe('the order of the rows', () => {
  it('has broken destinations first, and of one state the one that has it longest', () => {
    const rows = rowsOf(
      [
        status('a'),
        status('b', { status: 'paused' }),
        status('c', { status: 'misconfigured', since: '2026-11-23T02:00:00Z' }),
        status('d', { status: 'retrying' }),
        status('e', { status: 'misconfigured', since: '2026-11-22T23:59:59Z' }),
      ],
      undefined,
      serviceOf,
    );
    expect(rows.map(({ id }) => id)).toEqual(['e', 'c', 'd', 'b', 'a']);
  });

  it('has muted destinations that fail behind those that call for attention', () => {
    const principal = { id: 'usr_1', subject: 'Ada', credential_id: null };
    const muted = { reason: 'test', until: '2126-11-23T00:00:00Z', since: '2026-11-23T00:00:00Z', principal };
    const statuses = [
      status('a'),
      status('b', { status: 'misconfigured', muted }),
      status('c', { status: 'retrying', since: '2026-11-23T02:00:00Z' }),
    ];
    const rows = rowsOf(statuses, undefined, serviceOf);
    expect(rows.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(totalsOf(statuses)).toMatchObject({ broken: 1, muted: new Set(['b']) });
    expect(matching(rows, { muted: 'true' }).map(({ id }) => id)).toEqual(['b']);
    expect(matching(rows, { q: 'muted ada' }).map(({ id }) => id)).toEqual(['b']);
    expect(matching(rows, { muted: 'false' }).map(({ id }) => id)).toEqual(['c', 'a']);
  });

  it('does not change while events pass through healthy destinations', () => {
    const before = [status('b'), status('a10'), status('a9')];
    const after = before.map((one, index) => ({ ...one, pending: index, since: `2026-11-23T0${3 - index}:00:00Z` }));
    const order = (statuses: EventDestinationStatus[]) => rowsOf(statuses, undefined, serviceOf).map(({ id }) => id);
    expect(order(before)).toEqual(['a9', 'a10', 'b']);
    expect(order(after)).toEqual(order(before));
  });
});

describe('the mark of a destination without events', () => {
  const [old, young, receiving] = [
    'ed_01h455vb4pex5vsknk084sn02q',
    'ed_01kaaaaaaaex5vsknk084sn02q',
    'ed_01h455vb4pex5vsknk084sn02z',
  ];
  const since = Date.parse('2024-01-01T00:00:00Z');
  const marked = (receivers: Receivers | undefined, q = '') =>
    matching(
      rowsOf(
        [old, young, receiving].map((id) => status(id)),
        receivers,
        serviceOf,
      ),
      { q },
    )
      .filter(({ hasNoEvents }) => hasNoEvents)
      .map(({ id }) => id);

  it('is on what no subscription sends to, unless it is newer than what was read', () => {
    expect(marked({ ids: new Set([receiving]), since })).toEqual([old]);
    expect(marked({ ids: new Set([receiving]), since }, 'no events')).toEqual([old]);
  });

  it('is on nothing while that is not known, or cannot be', () => {
    expect(marked(undefined)).toEqual([]);
    expect(marked({ ids: null, since })).toEqual([]);
  });
});

describe('the filter', () => {
  const error = { code: 'access_denied', message: 'The role may not write.', at: '2026-11-23T00:00:00Z' };
  const rows = rowsOf(
    [status('ed_1', { status: 'misconfigured', last_error: error }), status('ed_2', { description: 'Lake' })],
    undefined,
    serviceOf,
  );

  it.each([
    ['may ROLE', ['ed_1']],
    ['access_denied', ['ed_1']],
    ['ed_', ['ed_1', 'ed_2']],
    ['lake kinesis', ['ed_2']],
    ['role ed_2', []],
  ])('finds every word of "%s"', (q, ids) => {
    expect(matching(rows, { q }).map(({ id }) => id)).toEqual(ids);
  });

  it('takes one of the states', () => {
    expect(matching(rows, { state: ['healthy', 'paused'] }).map(({ id }) => id)).toEqual(['ed_2']);
  });
});

it('adds up what is undelivered, and finds the event that waits longest', () => {
  const totals = totalsOf([
    status('a', { pending: 1000, pending_is_lower_bound: true, oldest_pending_at: '2026-11-23T01:00:00Z' }),
    status('b', { pending: 6, status: 'misconfigured', oldest_pending_at: '2026-11-23T00:30:00Z' }),
    status('c', { status: 'paused', oldest_pending_at: '2026-11-22T00:30:00Z' }),
  ]);
  expect(totals).toEqual({
    byState: { misconfigured: 1, retrying: 0, paused: 1, healthy: 1 },
    broken: 1,
    muted: new Set(),
    undelivered: 1006,
    undeliveredIsLowerBound: true,
    oldestPendingAt: '2026-11-23T00:30:00Z',
  });
});
