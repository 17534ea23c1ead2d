import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../api/problem.js';
import type { TargetKind } from '../../api/target-kinds.js';
import { credentialFields, draftOf, draftOfFittingKind, inputOf, keptValues, targetFields } from './draft.js';
import { faultOf, faultsOf, fieldsOf, refusedValues, valueOf } from './fields.js';
import { externalIdOf, isPrincipal, permissionPolicyOf, trustPolicyOf, usesRole } from './role.js';

const pipe: TargetKind = {
  kind: 'pipe',
  title: 'Pipes',
  credentials: ['auth'],
  permissions: { actions: ['pipe:Put'], resource: { field: 'pipe_arn', pattern: '^[^*]+', suffix: '/*' } },
  schema: {
    type: 'object',
    properties: {
      auth: {
        title: 'How Waybill signs in',
        maxProperties: 1,
        properties: {
          role: {
            title: 'A role',
            properties: { role_arn: { type: 'string', title: 'Role', pattern: '^arn:role/\\S+$' } },
            required: ['role_arn'],
          },
          creds: {
            title: 'A key',
            properties: {
              id: { type: 'string', title: 'Key id', pattern: '^[A-Z0-9a-z]{16,128}$' },
              secret: { type: 'string', title: 'Secret', pattern: '^\\S+$', writeOnly: true },
            },
            required: ['id', 'secret'],
          },
        },
      },
      pipe_arn: {
        type: 'string',
        title: 'ARN',
        maxLength: 20,
        pattern: '^arn:pipe/[a-z*]+$',
        examples: ['arn:pipe/audit'],
      },
      records: { type: 'string', enum: ['one', 'many'], default: 'one' },
      size: { type: 'integer', title: 'Size' },
      flush: { type: 'boolean', title: 'Flush' },
    },
    required: ['auth', 'pipe_arn'],
  },
};

const logs: TargetKind = {
  kind: 'logs',
  title: 'Logs',
  credentials: ['api_key'],
  permissions: null,
  schema: {
    properties: {
      api_key: { type: 'string', title: 'API key', writeOnly: true },
      log_arn: { type: 'string', title: 'Log', pattern: '^arn:log/[a-z]+$' },
      tags: { type: 'string', title: 'Tags' },
    },
    required: ['api_key', 'log_arn'],
  },
};

const kinds = [pipe, logs];
const byRole = { logs: null, pipe: { auth: { role: { role_arn: 'arn:role/a', external_id: 'ext-1' }, creds: null } } };
const byKey = {
  logs: null,
  pipe: {
    auth: { role: null, creds: { id: 'AKIAIOSFODNN7EXAMPLE', secret: null } },
    pipe_arn: 'arn:pipe/a',
    records: 'many',
    size: 5,
  },
};

function fieldAt(kind: TargetKind, path: string) {
  const found = fieldsOf(kind.schema, null).find((field) => field.path === path);
  if (!found) throw new Error(`No field ${path}.`);
  return found;
}

describe('the fields of a kind', () => {
  it('are those of the target, and those of the chosen credentials', () => {
    const draft = { kind: pipe, values: {} };
    expect(targetFields(draft).map(({ path }) => path)).toEqual(['pipe_arn', 'records', 'size', 'flush']);
    expect(credentialFields(draft).map(({ path }) => path)).toEqual(['auth', 'auth.role.role_arn']);
    expect(credentialFields({ kind: pipe, values: { auth: 'creds' } }).map(({ label }) => label)).toEqual([
      'How Waybill signs in',
      'Key id',
      'Secret',
    ]);
  });

  it('have the values that may be chosen, and the first or the default of them without a choice', () => {
    const options = (path: string) => fieldAt(pipe, path).options.map(([value]) => value);
    expect(fieldAt(pipe, 'auth').options).toEqual([
      ['role', 'A role'],
      ['creds', 'A key'],
    ]);
    expect([options('records'), options('flush'), options('size')]).toEqual([
      ['one', 'many'],
      ['', 'true', 'false'],
      [],
    ]);
    expect(['auth', 'records', 'flush', 'size'].map((path) => valueOf(fieldAt(pipe, path), {}))).toEqual([
      'role',
      'one',
      '',
      '',
    ]);
  });
});

describe('the draft of a stored target', () => {
  it('has its values, and no secret', () => {
    expect(draftOf(kinds, byRole)).toEqual({
      kind: pipe,
      values: { auth: 'role', 'auth.role.role_arn': 'arn:role/a' },
    });
    expect(draftOf(kinds, byKey).values).toEqual({
      auth: 'creds',
      'auth.creds.id': 'AKIAIOSFODNN7EXAMPLE',
      pipe_arn: 'arn:pipe/a',
      records: 'many',
      size: '5',
    });
    expect([externalIdOf(pipe, byRole), externalIdOf(pipe, byKey)]).toEqual(['ext-1', null]);
    expect([usesRole(draftOf(kinds, byRole)), usesRole(draftOf(kinds, byKey))]).toEqual([true, false]);
    expect(() => draftOf([logs], byRole)).toThrow('not known');
  });

  it('keeps the secret unless another one is typed', () => {
    const { kind, values } = draftOf(kinds, byKey);
    const fields = credentialFields({ kind, values });
    expect(faultsOf(fields, values, ({ schema }) => schema.writeOnly === true)).toEqual([]);
    expect(faultsOf(fields, values)).toEqual(['Secret: not filled in yet']);
    expect(inputOf({ kind, values })).toEqual({
      pipe: {
        auth: { creds: { id: 'AKIAIOSFODNN7EXAMPLE', secret: null } },
        pipe_arn: 'arn:pipe/a',
        records: 'many',
        size: 5,
        flush: null,
      },
    });
    const changed = inputOf({ kind, values: { ...values, 'auth.creds.secret': ' new ', flush: 'true' } });
    expect(changed).toMatchObject({ pipe: { auth: { creds: { secret: 'new' } }, flush: true } });
  });
});

it('makes the target of a new destination, with null for what is optional and empty', () => {
  expect(inputOf({ kind: logs, values: { api_key: 'k', log_arn: ' arn:log/a ', tags: ' ' } })).toEqual({
    logs: { api_key: 'k', log_arn: 'arn:log/a', tags: null },
  });
  expect(inputOf({ kind: pipe, values: { pipe_arn: 'arn:pipe/a' } })).toMatchObject({
    pipe: { auth: { role: { role_arn: null } }, records: 'one' },
  });
});

it('finds values of another form, and shows the form', () => {
  const fault = (value: string) => faultOf(fieldAt(pipe, 'pipe_arn'), value);
  expect(fault('')).toBe('It is missing.');
  expect(fault('pipe/audit')).toBe('It needs the form of this example: arn:pipe/audit');
  expect(fault('arn:pipe/ a')).toBe('It has a space or a line break in it.');
  expect(fault(`arn:pipe/${'a'.repeat(12)}`)).toBe('It has 21 characters. At most 20 are stored.');
  expect(fault(' arn:pipe/a ')).toBeNull();
  expect(faultOf(fieldAt(pipe, 'auth.role.role_arn'), 'a')).toBe('It does not have the form of such a value.');
  expect([faultOf(fieldAt(pipe, 'size'), 'many'), faultOf(fieldAt(pipe, 'size'), '')]).toEqual([
    'It is not a number.',
    null,
  ]);
});

it('has what the service refused by the paths of the fields', () => {
  const errors = [
    { pointer: '/target/pipe/auth/role/role_arn', detail: 'must be in the account' },
    { pointer: '/description', detail: 'must be shorter' },
  ];
  const problem = {
    type: '',
    title: '',
    status: 400,
    detail: '',
    error_code: 'invalid_input' as const,
    operation_id: '',
    instance: '',
    errors,
  };
  expect(refusedValues(new ProblemError(problem, null), 'pipe')).toEqual({
    'auth.role.role_arn': 'Refused: must be in the account.',
  });
  expect(refusedValues(new Error('other'), 'pipe')).toEqual({});
});

it('finds the kind of target that a value is one for, and takes the value along', () => {
  const draft = { kind: pipe, values: { pipe_arn: 'arn:log/a', records: 'many' } };
  expect(draftOfFittingKind(kinds, draft)).toEqual({
    kind: logs,
    values: { pipe_arn: '', log_arn: 'arn:log/a', records: 'many' },
  });
  expect(draftOfFittingKind(kinds, { kind: pipe, values: { pipe_arn: 'arn:pipe/a' } })).toBeNull();
  expect(draftOfFittingKind(kinds, { kind: pipe, values: { pipe_arn: 'other' } })).toBeNull();
});

it('keeps the values that have a form which no secret has', () => {
  const values = {
    auth: 'creds',
    'auth.role.role_arn': 'arn:role/a',
    'auth.creds.id': 'AKIAIOSFODNN7EXAMPLE',
    'auth.creds.secret': 's',
    pipe_arn: 'arn:pipe/a',
    records: 'other',
    size: '5',
    unknown: 'u',
  };
  expect(keptValues({ kind: pipe, values })).toEqual({
    auth: 'creds',
    'auth.role.role_arn': 'arn:role/a',
    pipe_arn: 'arn:pipe/a',
  });
  expect(keptValues({ kind: logs, values: { tags: 'a secret by mistake' } })).toEqual({});
  expect(keptValues({ kind: logs, values: { api_key: '', log_arn: '', tags: ' ' } })).toEqual({
    log_arn: '',
    tags: ' ',
  });
});

describe('the policies of a role', () => {
  it('name the principal, the external id and the calls', () => {
    expect(trustPolicyOf(' arn:aws:iam::1:role/w ', 'ext-1').Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam::1:role/w' },
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'sts:ExternalId': 'ext-1' } },
      },
    ]);
    expect(permissionPolicyOf({ kind: pipe, values: { pipe_arn: ' arn:pipe/a** ' } })?.Statement).toEqual([
      { Effect: 'Allow', Action: ['pipe:Put'], Resource: 'arn:pipe/a/*' },
    ]);
    expect(permissionPolicyOf({ kind: pipe, values: {} })).toBeNull();
    expect(permissionPolicyOf({ kind: logs, values: {} })).toBeNull();
  });

  it.each([
    ['arn:aws:iam::123456789012:role/waybill', true],
    ['arn:aws:iam::123456789012:root', true],
    ['arn:aws:iam::123456789012:user/w', true],
    ['arn:aws:sts::123456789012:assumed-role/waybill/i-1', false],
    ['123456789012', false],
  ])('trust %s: %s', (text, isOne) => {
    expect(isPrincipal(text)).toBe(isOne);
  });
});
