import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { unionOfClosedForms } from './closed-forms.js';

const schema = {
  type: 'object',
  description: 'What to repeat.',
  properties: {
    ids: { type: 'array', items: { type: 'string' } },
    state: { type: 'string', enum: ['failed', 'done'], description: 'The state.' },
    from: { type: 'string' },
  },
  additionalProperties: false,
  oneOf: [
    { title: 'ids', required: ['ids'], not: { anyOf: [{ required: ['state'] }, { required: ['from'] }] } },
    { title: 'failed', required: ['state'], properties: { state: { enum: ['failed'] } }, not: { required: ['ids'] } },
    {
      title: 'done',
      required: ['state', 'from'],
      properties: { state: { const: 'done' } },
      not: { required: ['ids'] },
    },
  ],
};

describe('unionOfClosedForms', () => {
  it('gives each form its members', () => {
    const { ids, from } = schema.properties;
    const state = { type: 'string', description: 'The state.' };
    const closed = { type: 'object', additionalProperties: false };
    expect(unionOfClosedForms(schema)).toEqual({
      description: 'What to repeat.',
      oneOf: [
        { ...closed, title: 'ids', properties: { ids }, required: ['ids'] },
        {
          ...closed,
          title: 'failed',
          properties: { state: { ...state, enum: ['failed'] }, from },
          required: ['state'],
        },
        {
          ...closed,
          title: 'done',
          properties: { state: { ...state, const: 'done' }, from },
          required: ['state', 'from'],
        },
      ],
    });
  });

  it('accepts the same values as the schema', () => {
    const ajv = new Ajv2020({ strict: false });
    const [before, after] = [ajv.compile(schema), ajv.compile(unionOfClosedForms(schema) ?? false)];
    const absent = undefined;
    const values = [absent, ['a'], [], 7].flatMap((ids) =>
      [absent, 'failed', 'done', 'other', null].flatMap((state) =>
        [absent, 'a', 7].flatMap((from) => [absent, 1].map((other) => ({ ids, state, from, other }))),
      ),
    );
    const sent = values.map((value): unknown => JSON.parse(JSON.stringify(value)));
    const verdicts = sent.map((value) => before(value));
    expect(sent.map((value) => after(value))).toEqual(verdicts);
    expect(verdicts.filter(Boolean).length).toBe(5);
  });

  it.each([
    ['an open object', { ...schema, additionalProperties: undefined }],
    ['no forms', { ...schema, oneOf: undefined }],
    ['a form without a title', { ...schema, oneOf: [{ required: ['ids'] }] }],
    ['a form with another keyword', { ...schema, oneOf: [{ title: 'ids', required: ['ids'], minProperties: 1 }] }],
    [
      'a form that excludes two members together',
      {
        ...schema,
        oneOf: [{ title: 'ids', required: ['ids'], not: { required: ['state', 'from'] } }],
      },
    ],
  ])('leaves %s', (_what, other) => {
    expect(unionOfClosedForms(other)).toBeNull();
  });
});
