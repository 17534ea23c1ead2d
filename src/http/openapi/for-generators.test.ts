import { describe, expect, it } from 'vitest';
import { forGenerators } from './for-generators.js';

const form = (name: string) => ({
  title: name,
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'object' } },
});

describe('forGenerators', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 100 }, 'int32'],
    [{ type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 }, 'int32'],
    [{ type: 'integer', minimum: 0, maximum: 2 ** 31 }, 'int64'],
    [{ type: 'integer', minimum: -(2 ** 31), maximum: 0 }, 'int64'],
    [{ type: 'integer', minimum: 1 }, 'int64'],
    [{ type: 'integer', format: 'int32' }, 'int32'],
    [{ type: 'number', minimum: 0, maximum: 1 }, undefined],
  ])('gives %j the format %s', (schema, format) => {
    expect(forGenerators({ items: schema })).toEqual({ items: format ? { ...schema, format } : schema });
  });

  it('names secrets by their format', () => {
    const schema = {
      properties: { secret: { type: 'string', writeOnly: true }, id: { type: 'string', readOnly: true } },
    };
    expect(forGenerators(schema)).toEqual({
      properties: { secret: { type: 'string', format: 'password' }, id: { type: 'string' } },
    });
  });

  it('makes an object of which exactly one member is set a union', () => {
    const role = { type: 'object', properties: { arn: { type: 'string' } }, required: ['arn'], description: 'Inner.' };
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        role: { anyOf: [role, { type: 'null' }], default: null, description: 'A role.' },
        creds: { anyOf: [{ $ref: '#/$defs/Creds' }, { type: 'null' }] },
      },
      required: ['name'],
      additionalProperties: false,
      oneOf: [form('role'), form('creds')],
      description: 'Exactly one.',
    };
    expect(forGenerators(schema)).toEqual({
      description: 'Exactly one.',
      oneOf: [
        {
          title: 'role',
          type: 'object',
          properties: { name: { type: 'string' }, role: { ...role, description: 'A role.' }, creds: { type: 'null' } },
          required: ['name', 'role'],
          additionalProperties: false,
        },
        {
          title: 'creds',
          type: 'object',
          properties: { name: { type: 'string' }, role: { type: 'null' }, creds: { $ref: '#/$defs/Creds' } },
          required: ['name', 'creds'],
          additionalProperties: false,
        },
      ],
    });
  });

  it('leaves other unions as they are', () => {
    const schema = {
      type: 'object',
      properties: { ids: { type: 'array' }, state: { type: 'string' } },
      oneOf: [
        { title: 'ids', required: ['ids'] },
        { ...form('state'), properties: { state: { const: 'done' } } },
      ],
    };
    expect(forGenerators(schema)).toEqual(schema);
  });
});
