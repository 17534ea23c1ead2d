import type { Attack } from '../attack.js';

const PADDING = 'a'.repeat(470);
const MONITORING = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };

/** Pointers of a subscription, all different. */
const pointers = (name: string, subscription: number): readonly string[] =>
  Array.from({ length: 45 }, (_, index) => `/object/o/${PADDING}${name}${index}_${subscription}`);

/** Events whose destinations receive them in as many forms, by as many pointers, as the API accepts. */
export const manyForms: Attack = {
  name: 'many-forms',
  title: 'events that destinations receive in hundreds of forms with thousands of long pointers, many at once',
  async run(environment) {
    const { admin } = await environment.account();
    const destinations = environment.pick(360, 100);
    const ids: string[] = [];
    for (let at = 0; at < destinations; at += 1) {
      const { id } = await admin.demand('POST', '/event_destinations', { target: MONITORING, paused: { reason: 'x' } });
      ids.push(String(id));
    }
    const subscribe = async (type: string, fields: unknown, to: readonly string[]) => {
      const response = await admin.send('POST', '/event_subscriptions', {
        sources: [{ type, fields }],
        destination_ids: to,
      });
      return response.status;
    };
    const publisher = await environment.key(admin, 'publisher');
    const publish = async (type: string, count: number, at = 0) => {
      const events = Array.from({ length: count }, (_, index) => ({
        type,
        resource_id: `r${at}-${index}`,
        object: { s: 'a' },
      }));
      const { status } = await publisher.send('POST', '/events', { events });
      return status;
    };
    // Each destination has four subscriptions of its own: 18,000 pointers.
    await environment.resourceType(admin, 'pointed');
    const subscriptions = environment.pick(85, 20);
    for (let at = 0; at < subscriptions; at += 1) {
      const fields = at % 2 === 0 ? { exclude: pointers('e', at) } : { hash: pointers('h', at) };
      const to = ids.slice(0, 100).filter((_, index) => (index + at) % subscriptions < 4);
      environment.expect((await subscribe('pointed_updated.v0', fields, to)) === 201, 'long pointers are accepted');
    }
    const one = await publish('pointed_updated.v0', 1);
    const publishes = Array.from({ length: 14 }, (_, at) => publish('pointed_updated.v0', 1, at + 1));
    const all = await Promise.all(publishes);
    environment.expect(
      [one, ...all].every((status) => status === 202),
      'single events are accepted',
    );
    // One form for each destination, all of short pointers.
    await environment.resourceType(admin, 'formed');
    for (const [at, id] of ids.entries()) await subscribe('formed_updated.v0', { exclude: [`/object/x${at}`] }, [id]);
    const begun = performance.now();
    const status = await publish('formed_updated.v0', 500);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(2);
    environment.note(`500 events in ${destinations} forms: ${status} after ${seconds} s`);
    environment.expect(status === 413, 'too many events in too many forms are refused');
    // Rules of thousands of subscriptions, read by each publish.
    await environment.resourceType(admin, 'ruled');
    const rules = environment.pick(3_000, 100);
    const keys = [admin];
    for (let at = 0; at < rules / 900; at += 1) keys.push(await environment.key(admin, 'admin'));
    for (let at = 0; at < rules; at += 5) {
      const batch = Array.from({ length: 5 }, (_, index) =>
        (keys[1 + Math.floor(at / 900)] ?? admin).send('POST', '/event_subscriptions', {
          sources: [{ type: 'ruled_updated.v0', fields: { exclude: [`/object/y${at + index}`] } }],
          destination_ids: [],
        }),
      );
      await Promise.all(batch);
    }
    const ruled = await Promise.all(Array.from({ length: 14 }, (_, at) => publish('ruled_updated.v0', 1, at)));
    environment.expect(
      ruled.every((each) => each === 202),
      'events of a type with many subscriptions are accepted',
    );
  },
};
