import type { Attack } from '../attack.js';

/** Members that refer to each other: `outer` times `inner` checks of one value. */
function schemaOf(outer: number, inner: number, check: Readonly<Record<string, unknown>>) {
  return {
    type: 'object',
    properties: { a: { allOf: Array.from({ length: outer }, () => ({ $ref: '#/$defs/b' })) } },
    $defs: {
      b: { allOf: Array.from({ length: inner }, () => ({ $ref: '#/$defs/c' })) },
      c: { type: 'string', ...check },
    },
  };
}

/** Checks of a text that take long, and a text for each. */
const checks = [
  { check: { pattern: '^(?:\\p{L})*$' }, text: 'a'.repeat(4_000) },
  { check: { pattern: '^(?:[a-z]|[0-9])*$' }, text: 'a'.repeat(4_000) },
  { check: { maxLength: 60_000 }, text: 'ß'.repeat(25_000) },
  { check: { format: 'uri' }, text: `https://example.com/${'a'.repeat(50_000)}` },
  { check: { format: 'email' }, text: `${'a.'.repeat(25_000)}a@example.com` },
] as const;
/** How often a value is checked: the most that was accepted once, and fewer. */
const sizes = [
  [40, 22],
  [20, 20],
  [5, 10],
] as const;

/** Small schemas whose validation costs more than their size says. */
export const costlySchemas: Attack = {
  name: 'costly-schemas',
  title: 'small schemas that check one value hundreds of times, with 20 events for each',
  async run(environment) {
    const { admin } = await environment.account();
    let accepted = 0;
    let number = 0;
    for (const { check, text } of environment.options.short ? checks.slice(0, 3) : checks)
      for (const [outer, inner] of sizes) {
        number += 1;
        const body = { name: `costly_${number}`, actions: ['updated'], schema: schemaOf(outer, inner, check) };
        const { status } = await admin.send('POST', '/resource_types', body);
        if (status !== 201) continue;
        accepted += 1;
        const event = { type: `costly_${number}_updated.v0`, resource_id: 'one', object: { a: text } };
        await admin.send('POST', '/events', { events: Array.from({ length: 20 }, () => event) });
      }
    environment.note(`${accepted} of ${number} schemas were accepted`);
  },
};
