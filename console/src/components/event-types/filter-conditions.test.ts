import { expect, it } from 'vitest';
import { conditionsOf } from './filter-conditions.js';

const rule = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    uri: { type: 'string' },
    action: { type: 'string', enum: ['allow', 'deny'] },
    port: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    policy: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    lines: { type: 'array', items: { type: 'string' } },
  },
  required: ['id', 'uri', 'action', 'port', 'policy', 'lines'],
};

it('offers a condition for each member with one value, through references, and asks for what may be absent', () => {
  const schema = {
    type: 'object',
    properties: {
      event_id: { type: 'string' },
      object: { $ref: '#/$defs/Rule' },
      changes: {
        type: 'object',
        properties: { after: { type: 'object', properties: { active: { type: 'boolean' } } } },
      },
    },
    required: ['event_id', 'object', 'changes'],
    $defs: { Rule: rule },
  };
  expect(conditionsOf(schema)).toEqual([
    'object.id == "…"',
    'object.action == "allow"',
    'object.port == 1',
    'object.policy.id == "…"',
    'has(changes.after.active) && changes.after.active == true',
  ]);
});

it('offers nothing where the schema says nothing', () => {
  expect(conditionsOf({})).toEqual([]);
  expect(conditionsOf({ properties: { object: true, other: { $ref: 'https://example.com/schema' } } })).toEqual([]);
});
