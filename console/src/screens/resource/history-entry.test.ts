import type { Event } from '@waybill/client';
import { expect, it } from 'vitest';
import { entryOf } from './history-entry.js';

const event = {
  id: 'evt_1',
  type: 'ip_policy_updated.v0',
  created_at: '2026-11-23T00:00:00.000Z',
  payload: {
    principal: { id: 'usr_1', subject: 'admin', credential: { id: 'ak_1', uri: 'x' } },
    changes: { before: { description: null }, after: { description: 'office' }, omitted: ['metadata'] },
  },
};

// Only the members that an entry shows.
const eventWith = (change: object): Event => ({ ...event, ...change }) as unknown as Event;

it('says who did what with which key, and what changed from what to what', () => {
  expect(entryOf(eventWith({}), 'ip_policy')).toEqual({
    id: 'evt_1',
    at: '2026-11-23T00:00:00.000Z',
    action: 'updated',
    subject: 'admin',
    keyId: 'ak_1',
    changes: [{ path: 'description', before: null, after: 'office' }],
    omitted: ['metadata'],
  });
});

it('shows a change by the service itself, and an action of more words', () => {
  const payload = { principal: { id: 'svc', subject: 'Waybill', credential: null } };
  expect(
    entryOf(eventWith({ type: 'event_destination_status_changed.v0', payload }), 'event_destination'),
  ).toMatchObject({ action: 'status changed', keyId: null, changes: [] });
});
