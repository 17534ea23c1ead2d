import { Outbox } from '../environment/outbox.js';
import type { Scenario } from '../scenario.js';

/** Time for a relay to get an answer. */
const ANSWER_MS = 300_000;

/**
 * Kills relays repeatedly after Waybill has stored a batch and before its events are deleted. The next relay sends them
 * again, and Waybill recognizes their ids.
 */
export const relayKilled: Scenario = {
  name: 'relay-killed',
  title: 'kill -9 of the relay of an outbox between an answer and its recording, repeatedly',
  short: ['postgres'],
  async run(environment) {
    await environment.processes.start('api');
    await environment.processes.start('worker');
    const outbox = await Outbox.open(environment, ['data_stream', 'monitoring']);
    const { processes } = outbox;
    processes.startPublisher('publisher');
    const kills = environment.pick(10, 3);
    let stored = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      const relay = `relay-${kill}`;
      processes.startRelay(relay);
      await processes.publishes(relay);
      const atAnswer = await processes.killAtAnswer(relay, ANSWER_MS);
      environment.expect(atAnswer, `${relay} was killed at an answer`);
      const waiting = (await outbox.waiting()).map((id) => `'${id}'`).join(',');
      const left = await environment.count(`publisher_ids where publisher_id = any (array[${waiting}]::text[])`);
      stored += left;
      environment.log(`kill ${kill} of ${kills}: ${left} events stored and not deleted`);
    }
    await processes.kill('publisher');
    processes.startRelay('relay');
    const count = await outbox.verify();
    environment.expect(stored > 0, 'events were stored and not deleted at the kills');
    environment.note(`${kills} kills with ${stored} events that were stored and not deleted`);
    environment.expect(
      (await processes.stop()).every((code) => code === 0),
      'the relay ended with 0 after SIGTERM',
    );
    return count;
  },
};
