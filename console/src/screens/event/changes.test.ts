import type { Event } from '@waybill/client';
import { expect, it } from 'vitest';
import { changedLines, changesOf } from './changes.js';

function eventWith(type: string, members: Readonly<Record<string, unknown>>): Pick<Event, 'type' | 'payload'> {
  return { type, payload: members as unknown as Event['payload'] };
}

it('has the resource before an update: old values, no member that is new, those that are gone', () => {
  const found = changesOf(
    eventWith('order_updated.v0', {
      object: { id: 'o1', state: 'paid', paid_at: 'today' },
      changes: { before: { state: 'open', note: 'x' }, after: { state: 'paid', paid_at: 'today' } },
    }),
  );
  expect(found.before).toEqual({ id: 'o1', state: 'open', note: 'x' });
  expect(Object.keys(found.before ?? {})).toEqual(['id', 'state', 'note']);
  expect(found.after).toEqual({ id: 'o1', state: 'paid', paid_at: 'today' });
});

it('takes no inherited member for a member', () => {
  const object = { id: 'o1', constructor: 'x' };
  const changes = { before: { toString: 'y' }, after: {} };
  const { before } = changesOf(eventWith('order_updated.v0', { object, changes }));
  expect(Object.entries(before ?? {})).toEqual([
    ['id', 'o1'],
    ['constructor', 'x'],
    ['toString', 'y'],
  ]);
});

it('names members whose old values are left out', () => {
  const changes = { before: {}, after: {}, omitted: ['body'] };
  const found = changesOf(eventWith('page_updated.v0', { object: { body: 'long' }, changes }));
  expect(found.omitted).toEqual(['body']);
});

it('has nothing before a creation, and nothing after a deletion', () => {
  expect(changesOf(eventWith('ip_policy_created.v0', { object: { id: 'a' } }))).toMatchObject({ before: null });
  expect(changesOf(eventWith('ip_policy_deleted.v0', { object: { id: 'a' } }))).toMatchObject({
    before: { id: 'a' },
    after: null,
  });
});

it('has both sides line by line', () => {
  const changes = { before: { n: 1 }, after: { n: 2 } };
  const rows = changedLines(changesOf(eventWith('x_updated.v0', { object: { id: 'a', n: 2 }, changes })));
  expect(rows.filter(({ isChanged }) => isChanged)).toEqual([
    { left: { number: 3, text: '  "n": 1' }, right: { number: 3, text: '  "n": 2' }, isChanged: true },
  ]);
  expect(rows).toHaveLength(4);
});

it('takes the order of members as no change', () => {
  const changes = {
    before: { target: { a: null, b: null, arn: 'x' } },
    after: { target: { arn: 'y', b: null, a: null } },
  };
  const object = { id: 'e', target: { arn: 'y', b: null, a: null } };
  const rows = changedLines(changesOf(eventWith('event_destination_updated.v0', { object, changes })));
  expect(rows.filter(({ isChanged }) => isChanged).map(({ left, right }) => [left?.text, right?.text])).toEqual([
    ['    "arn": "x",', '    "arn": "y",'],
  ]);
});
