import { describe, expect, it } from 'vitest';
import { countAll, countDestination, total } from './count.js';
import { eventLogOf, type EventResponse } from './event-log.js';

/**
 * The event of a change that gave a policy this description; `before` is null where it made it, `after` where it
 * deleted it.
 */
function change(id: string, resource: string, before: string | null, after: string | null): EventResponse {
  const action = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  return {
    id,
    type: `ip_policy_${action}.v0`,
    resource_id: resource,
    payload: {
      object: { description: after ?? before ?? '' },
      ...(action === 'updated' && {
        changes: { before: { description: before ?? '' }, after: { description: after ?? '' } },
      }),
      request: { operation_id: `op_${id}` },
    },
  };
}

const first = change('e1', 'a', null, 'one');
const second = change('e2', 'a', 'one', 'two');
const third = change('e3', 'a', 'two', null);
const other = change('e4', 'b', null, 'uno');
const published = [first, second, third, other];
/** Not in the order of the changes: the event log follows the chain of descriptions. */
const eventLog = eventLogOf([third, other, first, second], new Map([['b', 'uno']]));
const destination = { id: 'ed_1', kind: 'data_stream' };

function arrivals(...events: readonly (readonly [id: string, sequence: number])[]) {
  return events.map(([event_id, sequence]) => ({
    body: JSON.stringify({ event_id, event_type: 'ip_policy_created.v0', epoch: 1, sequence }),
  }));
}

describe('countDestination', () => {
  it('finds no fault if every event arrived in order', () => {
    const count = countDestination(destination, arrivals(['e1', 1], ['e4', 2], ['e2', 3], ['e3', 4]), eventLog);
    expect(count).toMatchObject({
      published: 4,
      delivered: 4,
      lost: 0,
      duplicates: 0,
      order_violations: 0,
      resource_order_violations: 0,
      gaps: 0,
      unknown: 0,
    });
  });

  it('counts a lost event and its gap', () => {
    const count = countDestination(destination, arrivals(['e1', 1], ['e2', 2], ['e3', 4]), eventLog);
    expect(count).toMatchObject({ delivered: 3, lost: 1, gaps: 1 });
  });

  it('counts repeats as duplicates and checks the order of first arrivals only', () => {
    const received = arrivals(['e1', 1], ['e4', 2], ['e1', 1], ['e4', 2], ['e2', 3], ['e3', 4]);
    expect(countDestination(destination, received, eventLog)).toMatchObject({
      delivered: 4,
      duplicates: 2,
      order_violations: 0,
      resource_order_violations: 0,
    });
  });

  it('checks the order of a destination and of a resource separately', () => {
    const late = countDestination(destination, arrivals(['e1', 1], ['e2', 3], ['e4', 2], ['e3', 4]), eventLog);
    expect(late).toMatchObject({ order_violations: 1, resource_order_violations: 0 });
    const turned = countDestination(destination, arrivals(['e2', 1], ['e1', 2], ['e3', 3], ['e4', 4]), eventLog);
    expect(turned).toMatchObject({ order_violations: 0, resource_order_violations: 1 });
  });

  it('lets a backfilled event follow a newer one of its resource, and not the reverse', () => {
    const [e2, e1, e3, e4] = arrivals(['e2', 1], ['e1', 2], ['e3', 3], ['e4', 4]);
    const marked = (event: { readonly body: string } | undefined) => ({
      body: JSON.stringify({ ...(JSON.parse(event?.body ?? '{}') as object), backfill: true }),
    });
    const violations = (...events: readonly ({ readonly body: string } | undefined)[]) =>
      countDestination(
        destination,
        events.flatMap((event) => event ?? []),
        eventLog,
      ).resource_order_violations;
    expect(violations(e2, marked(e1), e3, e4)).toBe(0);
    expect(violations(e2, e1, e3, e4)).toBe(1);
    // Backfilled events are in order among each other, and before the live ones that follow them.
    expect(violations(marked(e2), marked(e1), e3, e4)).toBe(1);
    expect(violations(marked(e2), e1, e3, e4)).toBe(1);
  });

  it('counts events that the log does not hold', () => {
    expect(countDestination(destination, arrivals(['e9', 1]), eventLog)).toMatchObject({
      unknown: 1,
      lost: 4,
    });
  });
});

describe('countDestination after a restore', () => {
  const event = (event_id: string, epoch: number, sequence: number) => ({
    body: JSON.stringify({ event_id, event_type: 'ip_policy_created.v0', epoch, sequence, object: {} }),
  });
  const marker = (after: number) => ({
    body: JSON.stringify({
      event_id: `m${after}`,
      event_type: 'event_destination_epoch_started.v0',
      epoch: 9,
      sequence: after + 1,
      object: { undone: { after: { epoch: 1, sequence: after }, before: { epoch: 9, sequence: after + 1 } } },
    }),
  });

  it('counts the undone events that the marker declares, and no fault', () => {
    // e2 arrived as an undone event first: it was in flight at the loss.
    const received = [event('e1', 1, 1), event('x', 1, 2), event('e2', 1, 3), marker(1), event('e4', 9, 3)];
    const count = countDestination(destination, [...received, event('e2', 9, 4), event('e3', 9, 5)], eventLog);
    expect(count).toMatchObject({
      delivered: 4,
      lost: 0,
      undone: 2,
      unknown: 0,
      gaps: 0,
      order_violations: 0,
      reused: 0,
    });
  });

  it('counts an undeclared undone event, and a number that two events have', () => {
    const received = [event('e1', 1, 1), event('x', 1, 2), event('e4', 1, 2), event('e2', 1, 3), event('e3', 1, 4)];
    expect(countDestination(destination, received, eventLog)).toMatchObject({ undone: 0, unknown: 1, reused: 1 });
    const late = [event('x', 1, 1), marker(1), event('e1', 9, 3)];
    expect(countDestination(destination, late, eventLog)).toMatchObject({ undone: 0, unknown: 1, reused: 0 });
  });
});

describe('countAll', () => {
  const whole = countDestination(destination, arrivals(['e1', 1], ['e2', 2], ['e3', 3], ['e4', 4]), eventLog);

  it('counts an accepted change without an event, and an event without a response', () => {
    const count = countAll(eventLog, new Set(['op_e1', 'op_e2', 'op_e3', 'op_nowhere']), [whole]);
    expect(count).toMatchObject({ published: 4, published_unanswered: 1, unrecorded: 1 });
    expect(total(count, 'delivered')).toBe(4);
  });

  it('counts an event missing in the chain of its resource, even without a response', () => {
    const broken = eventLogOf(
      published.filter((event) => event !== second),
      new Map([['b', 'uno']]),
    );
    expect(broken.missing).toBe(1);
    expect(countAll(broken, new Set(), [whole]).unrecorded).toBe(1);
  });

  it.each([
    ['differs from its last event', [['b', 'due']]],
    [
      'exists although its last event deleted it',
      [
        ['a', 'two'],
        ['b', 'uno'],
      ],
    ],
    ['does not exist although its last event did not delete it', []],
    [
      'exists without an event',
      [
        ['b', 'uno'],
        ['c', 'eins'],
      ],
    ],
  ] as const)('counts a change without an event if a resource %s', (_, policies) => {
    expect(eventLog.missing).toBe(0);
    expect(eventLogOf(published, new Map(policies)).missing).toBe(1);
  });
});
