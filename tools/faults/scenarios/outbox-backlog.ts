import { Outbox } from '../environment/outbox.js';
import type { Scenario } from '../scenario.js';

/** Stops Waybill while an application with an outbox continues. Its changes wait in the outbox, and then all arrive. */
export const outboxBacklog: Scenario = {
  name: 'outbox-backlog',
  title: 'Waybill is away while an application with an outbox continues',
  async run(environment) {
    const { processes } = environment;
    const outbox = await Outbox.open(environment);
    outbox.startRelay('relay');
    outbox.startRelay('relay-2');
    await processes.stop('api');
    await processes.stop('worker');
    const changes = environment.pick(20_000, 2_000);
    outbox.startPublisher(changes);
    environment.expect((await processes.exited('publisher')) === 0, 'the application ended with 0');
    const { length } = await outbox.waiting();
    environment.log(`${length} events wait`);
    environment.expect(length === (await outbox.committed()), `all changes wait: ${length} events`);
    environment.expect(length >= changes, `${changes} changes wait`);
    await processes.start('api');
    await processes.start('worker');
    const begun = performance.now();
    await outbox.drained();
    const seconds = (performance.now() - begun) / 1_000;
    environment.note(
      `${length} events waited, and were published within ${seconds.toFixed(1)} s after Waybill was ready`,
    );
    return outbox.verify();
  },
};
