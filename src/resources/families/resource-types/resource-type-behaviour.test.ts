import { expect, it } from 'vitest';
import { systemContext } from '../../../events/envelope/system-context.js';
import { eventCatalogue } from '../../event-types.js';
import { ResourceTypeBehaviour } from './resource-type-behaviour.js';

it('has a schema compiled where a request brings one, and by no other change', async () => {
  const compiled: unknown[] = [];
  const schemaErrors = (_: string, schema: object) => {
    compiled.push(schema);
    return Promise.resolve([{ pointer: '/type', detail: 'is refused' }]);
  };
  const behaviour = new ResourceTypeBehaviour(eventCatalogue, { schemaErrors });
  const context = systemContext('acc_1', 'test', 'https://waybill.example');
  for (const body of [{ title: 'Order' }, { redact: ['/a'] }, { schema: null }, {}])
    await behaviour.beforeUpdate(body, context);
  expect(compiled).toEqual([]);
  const schema = { type: 'object' };
  const refused = { errors: [{ pointer: '/schema/type', detail: 'is refused' }] };
  await expect(behaviour.beforeUpdate({ schema }, context)).rejects.toMatchObject(refused);
  await expect(behaviour.beforeCreate({ schema }, context)).rejects.toMatchObject(refused);
  expect(compiled).toEqual([schema, schema]);
});
