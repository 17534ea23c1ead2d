import type { Attack } from '../attack.js';
import type { AttackAccount, AttackEnvironment } from '../environment/attack-environment.js';

/** Of the 500 subschemas that a schema may have. */
const PROPERTIES = 480;

/** A schema that takes the compiler long; the number makes it another one. */
function schemaOf(number: number, more: Readonly<Record<string, unknown>> = {}) {
  const names = Array.from({ length: PROPERTIES }, (_, index) => `p${number}_${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
  return { type: 'object', properties: { ...properties, ...more } };
}

/** Schemas that are refused when the whole has been looked at. */
const refused: readonly Readonly<Record<string, unknown>>[] = [
  { last: { type: 'string', format: 'unknown' } },
  { last: { type: 'string', pattern: '(?=a)a' } },
  { last: { type: 'integer', minimum: 'x' } },
  { last: { $ref: '#/$defs/missing' } },
];

const typeOf = (number: number) => `wide_${number}`;

/** Schemas of the largest size: new, refused, used in one batch, and changed without need. */
export const largeSchemas: Attack = {
  name: 'large-schemas',
  title: 'the largest schemas: created, refused, changed in their title, and 60 of them in one batch',
  async run(environment) {
    const account = await environment.account();
    const types = environment.pick(60, 20);
    await atOnce(types, (number) =>
      account.admin.send('POST', '/resource_types', {
        name: typeOf(number),
        actions: ['updated'],
        schema: schemaOf(number),
      }),
    );
    await atOnce(12, (number) => {
      const schema = schemaOf(1_000 + number, refused[number % refused.length]);
      return account.admin.send('POST', '/resource_types', { name: `refused_${number}`, actions: ['updated'], schema });
    });
    await changeTitles(environment, account);
    const events = Array.from({ length: types }, (_, number) => ({
      type: `${typeOf(number)}_updated.v0`,
      resource_id: 'one',
      object: { [`p${number}_0`]: 1 },
    }));
    await atOnce(environment.pick(4, 1), () => account.admin.send('POST', '/events', { events }));
  },
};

/** Changes members of the types that no validator depends on. */
async function changeTitles(environment: AttackEnvironment, { admin }: AttackAccount): Promise<void> {
  const { body } = await admin.send('GET', '/resource_types?limit=100');
  const list = (body['resource_types'] ?? []) as readonly { readonly id: string }[];
  await Promise.all(
    list
      .slice(0, environment.pick(20, 5))
      .map(({ id }) => admin.send('PATCH', `/resource_types/${id}`, { title: 'x' })),
  );
}

function atOnce(count: number, send: (number: number) => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, (_, number) => send(number)));
}
