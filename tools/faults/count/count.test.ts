import { describe, expect, it } from 'vitest';
import { countAll, countDestination, total } from './count.js';
import { ledgerOf, type ShownEvent } from './ledger.js';

/** The event of a change that gave a policy this description; `before` is null where it made it, `after` where it deleted it. */
function change(id: string, resource: string, before: string | null, after: string | null): ShownEvent {
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
/** In another order than the one in which they were made: the ledger goes by the chain, not by ids. */
const ledger = ledgerOf([third, other, first, second], new Map([['b', 'uno']]));
const destination = { id: 'ed_1', kind: 'data_stream' };

function arrivals(...events: readonly (readonly [id: string, sequence: number])[]) {
  return events.map(([event_id, sequence]) => ({ body: JSON.stringify({ event_id, sequence }) }));
}

describe('countDestination', () => {
  it('finds nothing wrong where everything arrived in order', () => {
    const count = countDestination(destination, arrivals(['e1', 1], ['e4', 2], ['e2', 3], ['e3', 4]), ledger);
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

  it('sees what is lost and the gap that it leaves', () => {
    const count = countDestination(destination, arrivals(['e1', 1], ['e2', 2], ['e3', 4]), ledger);
    expect(count).toMatchObject({ delivered: 3, lost: 1, gaps: 1 });
  });

  it('counts repeats as duplicates and judges order by first arrivals alone', () => {
    const received = arrivals(['e1', 1], ['e4', 2], ['e1', 1], ['e4', 2], ['e2', 3], ['e3', 4]);
    expect(countDestination(destination, received, ledger)).toMatchObject({
      delivered: 4,
      duplicates: 2,
      order_violations: 0,
      resource_order_violations: 0,
    });
  });

  it('tells the order of a destination from that of a resource', () => {
    const late = countDestination(destination, arrivals(['e1', 1], ['e2', 3], ['e4', 2], ['e3', 4]), ledger);
    expect(late).toMatchObject({ order_violations: 1, resource_order_violations: 0 });
    const turned = countDestination(
      destination,
      arrivals(['e2', 1], ['e1', 2], ['e3', 3], ['e4', 4]),
      ledger,
    );
    expect(turned).toMatchObject({ order_violations: 0, resource_order_violations: 1 });
  });

  it('sees events that the log does not know', () => {
    expect(countDestination(destination, arrivals(['e9', 1]), ledger)).toMatchObject({ unknown: 1, lost: 4 });
  });
});

describe('countAll', () => {
  const whole = countDestination(destination, arrivals(['e1', 1], ['e2', 2], ['e3', 3], ['e4', 4]), ledger);

  it('counts an accepted change without an event, and an event whose change was not answered', () => {
    const count = countAll(ledger, new Set(['op_e1', 'op_e2', 'op_e3', 'op_nowhere']), [whole]);
    expect(count).toMatchObject({ published: 4, published_unanswered: 1, unrecorded: 1 });
    expect(total(count, 'delivered')).toBe(4);
  });

  it('counts a change whose event is missing in the chain of its resource, although nobody was answered', () => {
    const broken = ledgerOf(
      published.filter((event) => event !== second),
      new Map([['b', 'uno']]),
    );
    expect(broken.breaks).toBe(1);
    expect(countAll(broken, new Set(), [whole]).unrecorded).toBe(1);
  });

  it.each([
    ['is not as its last event left it', [['b', 'due']]],
    [
      'is there although its last event deleted it',
      [
        ['a', 'two'],
        ['b', 'uno'],
      ],
    ],
    ['is gone although its last event did not delete it', []],
    [
      'is there and has no event',
      [
        ['b', 'uno'],
        ['c', 'eins'],
      ],
    ],
  ] as const)('counts a change without an event where a resource %s', (_, policies) => {
    expect(ledger.breaks).toBe(0);
    expect(ledgerOf(published, new Map(policies)).breaks).toBe(1);
  });
});
