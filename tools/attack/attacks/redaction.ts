import { readFile } from 'node:fs/promises';
import type { Attack } from '../attack.js';
import type { NewEvent } from '../environment/attack-environment.js';

const SECRET = 'sesame';
const text = { type: ['string', 'null'] };

/** Objects and changes that hide a secret from the pointer `/card/number`. */
const forms: readonly { readonly object: object; readonly changes?: object }[] = [
  { object: { card: { number: SECRET } } },
  { object: { card: SECRET } },
  { object: { card: [SECRET] } },
  { object: { card: [{ number: SECRET }] } },
  { object: { card: [[{ number: SECRET }]] } },
  { object: { card: { number: { deep: [SECRET] } } } },
  { object: {}, changes: { before: { card: SECRET }, after: { card: { number: SECRET } } } },
  { object: {}, changes: { before: { card: [{ number: SECRET }] }, after: {} } },
];

/** Values that a resource type redacts, in forms that its pointers do not expect. */
export const redaction: Attack = {
  name: 'redaction',
  title: 'redacted values where the pointer does not expect them, and under an older version',
  async run(environment) {
    const { admin } = await environment.account();
    const publisher = await environment.key(admin, 'publisher');
    await environment.resourceType(admin, 'paid', { redact: ['/card/number'], changes: 'given' });
    await environment.resourceType(admin, 'compared', { redact: ['/card/number'], changes: 'computed' });
    const older = { type: 'object', properties: { card: text } };
    const type = await admin.demand('POST', '/resource_types', { name: 'older', actions: ['updated'], schema: older });
    await admin.demand('PATCH', `/resource_types/${String(type['id'])}`, {
      version: 1,
      schema: older,
      redact: ['/card'],
    });
    const publish = (event: NewEvent) => environment.publish(publisher, [event]);
    for (const [index, form] of forms.entries()) {
      const { changes: _changes, ...withoutChanges } = form;
      const resource = { resource_id: `r-${index}` };
      await publish({ type: 'paid_updated.v0', ...resource, ...form });
      await publish({ type: 'compared_updated.v0', ...resource, ...withoutChanges });
    }
    for (const version of [0, 1])
      await publish({ type: `older_updated.v${version}`, resource_id: 'r', object: { card: SECRET } });
    const found: string[] = [];
    for (const path of ['/events?limit=100', '/events/export?format=csv', '/events/export?format=ndjson'])
      if ((await admin.send('GET', path)).text.includes(SECRET)) found.push(path);
    const tables = await environment.service.scenario.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname <> 'pg_catalog'`,
    );
    for (const { name } of tables) {
      const rows = await environment.service.scenario.query(
        `select from ${name} t where t::text like '%${SECRET}%' limit 1`,
      );
      if (rows.length > 0) found.push(name);
    }
    if ((await readFile(environment.service.logFile, 'utf8')).includes(SECRET)) found.push('the log');
    environment.expect(found.length === 0, `a redacted value is in ${found.join(', ')}`);
    environment.note(`searched ${tables.length} tables, the log and three responses`);
  },
};
