import { describe, expect, it } from 'vitest';
import { exampleOf } from './example-of.js';

describe('exampleOf', () => {
  it('takes the example that a schema gives before anything else', () => {
    expect(exampleOf({ type: 'string', examples: ['a', 'b'], default: 'c' })).toBe('a');
    expect(exampleOf({ type: 'string', example: 'x' })).toBe('x');
  });

  it('makes objects and lists of their parts, and looks references up', () => {
    const schema = {
      type: 'object',
      properties: {
        kind: { const: 'v0' },
        at: { type: 'string', format: 'date-time' },
        many: { type: 'array', items: { $ref: '#/$defs/one' } },
        perhaps: { anyOf: [{ type: 'null' }, { enum: ['allow', 'deny'] }] },
        map: { type: 'object', additionalProperties: { type: 'boolean' } },
        count: { type: 'integer', minimum: 1 },
      },
      $defs: { one: { type: 'number' } },
    };
    expect(exampleOf(schema)).toEqual({
      kind: 'v0',
      at: '2026-01-31T12:00:00.000Z',
      many: [0],
      perhaps: 'allow',
      map: { name: true },
      count: 1,
    });
  });
});
