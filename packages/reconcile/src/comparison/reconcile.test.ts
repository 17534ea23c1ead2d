import { expect, it } from 'vitest';
import type { DeliveryRecord, DestinationRecords } from './destination-records.js';
import { ExportedEvents } from './exported-events.js';
import { reconcile } from './reconcile.js';

type State = DeliveryRecord['state'];

it.each<[from: State, during: State, to: State, because: string]>([
  ['rejected', 'rejected', 'pending', 'pending'],
  ['expired', 'expired', 'in_flight', 'in_flight'],
  ['rejected', 'rejected', 'delivered', 'acknowledged'],
  ['delivered', 'delivered', 'pending', 'pending'],
])('explains a number that is %s, and at the read of %s becomes %s', async (from, during, to, because) => {
  let state = from;
  const records: DestinationRecords = {
    status: async () => ({
      status: 'healthy',
      target_kind: 'data_stream',
      last_sequence: 1,
      epochs: [{ epoch: 1, first_sequence: 1 }],
    }),
    async *deliveries(read) {
      if (read === during && state === from) state = to;
      if (read === state) yield { event_id: 'evt_1', state, sequence: 1, finished_at: null, error: null };
    },
  };
  const found = await reconcile(new ExportedEvents(), records, { from: 1, exportedAt: new Date() });
  expect(found.missing).toMatchObject([{ sequence: 1, because }]);
});
