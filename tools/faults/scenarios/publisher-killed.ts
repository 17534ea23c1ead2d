import { Outbox } from '../environment/outbox.js';
import type { Scenario } from '../scenario.js';

/** Transactions of the application that have written and not ended. */
const OPEN_TRANSACTIONS = `
  select count(*)::int as count from pg_stat_activity
  where application_name = 'publisher' and datname = current_database() and backend_xid is not null`;

/**
 * Kills an application with an outbox repeatedly, between its statements. What it had committed arrives, and what it
 * had not committed does not.
 */
export const publisherKilled: Scenario = {
  name: 'publisher-killed',
  title: 'kill -9 of an application with an outbox mid-transaction, repeatedly',
  short: ['redis'],
  async run(environment) {
    const { processes } = environment;
    const outbox = await Outbox.open(environment);
    outbox.startRelay('relay');
    let open = 0;
    const kills = environment.pick(12, 3);
    for (let kill = 1; kill <= kills; kill += 1) {
      outbox.startPublisher();
      await environment.waitForDelivery();
      await environment.wait(environment.pick(4, 2) * (0.5 + Math.random() / 2));
      const [transactions] = await outbox.query<{ count: number }>(OPEN_TRANSACTIONS);
      await processes.kill('publisher');
      open += transactions?.count ?? 0;
      environment.log(`kill ${kill} of ${kills}: ${transactions?.count} open transactions`);
    }
    environment.expect(open > 0, 'transactions were open at the kills');
    environment.note(`${kills} kills with ${open} open transactions`);
    return outbox.verify();
  },
};
