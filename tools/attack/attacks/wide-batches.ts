import type { Attack } from '../attack.js';

const members = (count: number, value: string): string =>
  `{"\\u0041":0,${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(',')}}`;
const listOf = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(',')}]`;
const batch = (type: string, count: number, object: string): string =>
  `{"events":${listOf(count, `{"type":"${type}_updated.v0","resource_id":"#","object":${object}}`)}}`.replaceAll(
    '#',
    (_, at: number) => `q${at}`,
  );

/** Pointers through every item, of which none is there. */
const redact = Array.from({ length: 50 }, (_, index) => `/*/*/x${index}`);

/** Batches whose cost is in the number of their values. */
export const wideBatches: Attack = {
  name: 'wide-batches',
  title: 'batches with as many values as fit, whose changes are computed, and of which many pointers are redacted',
  async run(environment) {
    const { admin } = await environment.account();
    await environment.resourceType(admin, 'wide', { changes: 'computed' });
    await environment.resourceType(admin, 'hidden', { changes: 'computed', redact });
    const publisher = await environment.key(admin, 'publisher');
    const bodies = [
      members(180_000, '0'),
      `{"events":${listOf(690_000, '{}')}}`,
      batch('wide', 60, members(1_700, '[{}]')),
      batch('hidden', 37, `{"l":${listOf(17_000, '{}')}}`),
      ...[0, 1, 2].flatMap((round) => [
        batch('wide', 50, members(2_500, String(round))),
        batch('wide', 500, members(250, String(round))),
        batch('hidden', 7, `{"l":${listOf(9_000, '{}')}}`),
        batch('hidden', 42, members(1_000, round === 1 ? '[0]' : '{"b":1}')),
      ]),
    ];
    for (const body of bodies) await publisher.send('POST', '/events', body, { discard: true });
    environment.expect(environment.tally.count(413) === 4, 'bodies with too many values are refused');
    environment.expect(environment.tally.count(202) === 12, 'bodies with many values are accepted');
    // The last objects of these resources are many times larger than the request.
    const large = Array.from({ length: 500 }, (_, index) => ({
      type: 'wide_updated.v0',
      resource_id: `large-${index}`,
    }));
    const object = Object.fromEntries(Array.from({ length: 3_400 }, (_, index) => [`k${index}`, 'abcd']));
    await environment.publish(
      publisher,
      large.map((event) => ({ ...event, object })),
    );
    const small = large.map((event) => ({ ...event, object: {} }));
    await Promise.all(Array.from({ length: 10 }, () => publisher.send('POST', '/events', { events: small })));
  },
};
