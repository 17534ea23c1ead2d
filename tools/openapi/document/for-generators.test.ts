import { describe, expect, it } from 'vitest';
import { forGenerators } from './for-generators.js';

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

  it('leaves a boolean without a constant value', () => {
    const schema = { type: 'boolean', const: true, description: 'Present or not.' };
    expect(forGenerators({ properties: { backfill: schema } })).toEqual({
      properties: { backfill: { type: 'boolean', description: 'Present or not.' } },
    });
  });

  it('gives a simple value that may be null two types', () => {
    const ofInner = (inner: object, description?: string) =>
      forGenerators({ anyOf: [inner, { type: 'null' }], ...(description && { description }) });
    const text = { type: 'string', maxLength: 9, description: 'At most 9 bytes.' };
    const nullable = { type: ['string', 'null'], maxLength: 9 };
    expect(ofInner(text)).toEqual({ ...nullable, description: 'At most 9 bytes.' });
    expect(ofInner(text, 'A name. At most 9 bytes.')).toEqual({ ...nullable, description: 'A name. At most 9 bytes.' });
    expect(ofInner(text, 'A name.')).toEqual({ ...nullable, description: 'A name. At most 9 bytes.' });
    expect(ofInner({ type: 'boolean' })).toEqual({ type: ['boolean', 'null'] });
    const list = { type: 'string', enum: ['a'] };
    expect(ofInner(list, 'A.')).toEqual({ anyOf: [list, { type: 'null' }], description: 'A.' });
  });

  it('names secrets by their format', () => {
    const schema = {
      properties: { secret: { type: 'string', writeOnly: true }, id: { type: 'string', readOnly: true } },
    };
    expect(forGenerators(schema)).toEqual({
      properties: { secret: { type: 'string', format: 'password' }, id: { type: 'string' } },
    });
  });
});
