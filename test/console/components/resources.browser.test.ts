import { expect, test } from 'vitest';
import { chromium } from '../browser/console-site.js';
import { openRecorded } from './recorded-console.js';
import { eventOf, idOf, listOf } from './recorded-resources.js';

test.skipIf(chromium === null)(
  'the history says what the service did, and which values an event leaves out',
  async () => {
    const { payload: created, ...event } = eventOf(1);
    const path = `/ip_policies/${event.resource_id}`;
    const key = idOf('ak', 3);
    const principal = { ...created.principal, credential: { id: key, uri: '' } };
    const changes = { before: { description: 'Berlin' }, after: { description: 'Mitte' }, omitted: ['metadata'] };
    const updated = { ...event, type: 'ip_policy_updated.v0', payload: { ...created, principal, changes } };
    const { page } = await openRecorded(`/resources/ip_policy/${event.resource_id}`, {
      [`GET ${path}`]: created.object,
      [`GET ${path}/references`]: listOf('references'),
      [`GET ${path}/events`]: listOf('events', [updated, { ...event, id: idOf('evt', 2), payload: created }]),
    });
    const entries = page
      .getByRole('region', { name: 'History' })
      .getByRole('listitem')
      .filter({ hasText: 'Event evt_' });
    await entries.nth(1).waitFor();
    const [byKey, byService] = await entries.allTextContents();
    expect(byKey).toContain('metadata changed; the values are too large for the event');
    expect(byKey).toContain(`key ${key}`);
    expect(byKey).not.toContain('the service itself');
    expect(byService).toContain('created by Ada (the service itself)');
    expect(byService).not.toMatch(/too large| key /);
  },
);
