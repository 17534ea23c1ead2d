import type { Attack } from '../attack.js';

/** Events of a batch of almost 2 MiB. */
const EVENTS = 450;
const BYTES = 4_000;

/** Many of the largest requests at once. */
export const largeBodies: Attack = {
  name: 'large-bodies',
  title: 'many of the largest batches at once, from one publisher',
  async run(environment) {
    const { admin } = await environment.account();
    await environment.resourceType(admin, 'heavy');
    const publisher = await environment.key(admin, 'publisher');
    const object = { text: 'x'.repeat(BYTES) };
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      type: 'heavy_updated.v0',
      resource_id: `heavy-${index}`,
      object,
    }));
    const batch = JSON.stringify({ events });
    const batches = environment.pick(150, 60);
    await Promise.all(
      Array.from({ length: batches }, () => publisher.send('POST', '/events', batch, { discard: true })),
    );
  },
};
