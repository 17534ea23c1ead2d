import { expect, it } from 'vitest';
import { withDefaultsInWords } from './defaults.js';

it('says the defaults of members in their descriptions, at any depth', () => {
  const inner = { type: 'object', properties: { mode: { type: 'string', default: 'one' } } };
  expect(
    withDefaultsInWords({
      type: 'object',
      properties: {
        enabled: { type: 'boolean', default: true, description: 'Whether it is on.' },
        note: { type: 'string', default: null, description: 'A note.' },
        inner: { anyOf: [inner, { type: 'null' }] },
        default: { type: 'string' },
      },
    }),
  ).toEqual({
    type: 'object',
    properties: {
      enabled: { type: 'boolean', description: 'Whether it is on. Default: `true`.' },
      note: { type: 'string', description: 'A note.' },
      inner: {
        anyOf: [
          { type: 'object', properties: { mode: { type: 'string', description: 'Default: `"one"`.' } } },
          { type: 'null' },
        ],
      },
      default: { type: 'string' },
    },
  });
});
