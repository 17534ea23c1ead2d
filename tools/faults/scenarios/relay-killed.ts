import { until } from '../../harness/until.js';
import { Outbox } from '../environment/outbox.js';
import type { Scenario } from '../scenario.js';

/**
 * Kills relays repeatedly after Waybill has stored a batch and before its events are deleted. The next relay sends them
 * again, and Waybill recognizes their ids.
 */
export const relayKilled: Scenario = {
  name: 'relay-killed',
  title: 'kill -9 of the relay of an outbox between an answer and its recording, repeatedly',
  short: ['postgres'],
  async run(environment) {
    const { processes } = environment;
    const outbox = await Outbox.open(environment);
    outbox.startPublisher();
    const kills = environment.pick(10, 3);
    let stored = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      const relay = `relay-${kill}`;
      outbox.startRelay(relay);
      const publishes = async (): Promise<boolean> =>
        (await processes.logged(relay, 'outbox relay publishes')).length > 0;
      await until(publishes, `${relay} publishes`);
      processes.signal(relay, 'SIGUSR2');
      // It stops when it has read the head of an answer, and has not handled it.
      await processes.stopped(relay);
      await processes.kill(relay);
      const waiting = (await outbox.waiting()).map((id) => `'${id}'`).join(',');
      const left = await environment.count(`publisher_ids where publisher_id = any (array[${waiting}]::text[])`);
      stored += left;
      environment.log(`kill ${kill} of ${kills}: ${left} events stored and not deleted`);
    }
    await processes.kill('publisher');
    outbox.startRelay('relay');
    const count = await outbox.verify();
    environment.expect(stored > 0, 'events were stored and not deleted at the kills');
    environment.note(`${kills} kills with ${stored} events that were stored and not deleted`);
    environment.expect((await processes.stop('relay')) === 0, 'the relay ended with 0 after SIGTERM');
    return count;
  },
};
