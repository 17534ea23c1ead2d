import { describe, expect, it } from 'vitest';
import type { TargetKind } from '../../api/target-kinds.js';
import type { TargetDraft } from './draft.js';
import type { Values } from './fields.js';
import { hasStoredCredentials, mergedDraft, mergedText } from './merged-draft.js';

const text = { type: 'string' };
const secret = { type: 'string', writeOnly: true };

const stream: TargetKind = {
  kind: 'stream',
  title: 'Streams',
  credentials: ['auth'],
  permissions: null,
  schema: {
    properties: {
      auth: {
        maxProperties: 1,
        properties: { role: { properties: { arn: text } }, creds: { properties: { id: text, secret } } },
      },
      arn: text,
      records: text,
    },
  },
};
const base: TargetDraft = { kind: stream, values: { auth: 'role', 'auth.role.arn': 'r', arn: 'a' } };

function withValues(values: Values): TargetDraft {
  return { ...base, values: { ...base.values, ...values } };
}

it('takes the fields of another person that were not typed, and keeps those that were', () => {
  const typed = withValues({ 'auth.role.arn': 'mine' });
  expect(mergedDraft(base, typed, withValues({ arn: 'theirs', records: 'packed' }))).toEqual(
    withValues({ arn: 'theirs', records: 'packed', 'auth.role.arn': 'mine' }),
  );
  expect(mergedDraft(base, typed, withValues({ 'auth.role.arn': 'theirs' }))).toEqual(typed);
  expect([mergedText('a', 'a ', 'theirs'), mergedText('a', 'mine', 'theirs')]).toEqual(['theirs', 'mine']);
});

it('keeps a field that was emptied, and a secret that was typed', () => {
  const typed = withValues({ arn: '', auth: 'creds', 'auth.creds.secret': 's' });
  expect(mergedDraft(base, typed, withValues({ 'auth.role.arn': 'theirs' }))).toEqual(
    withValues({ arn: '', auth: 'creds', 'auth.role.arn': 'theirs', 'auth.creds.secret': 's' }),
  );
});

it('takes another way to sign in, unless credentials were typed', () => {
  const newest = withValues({ auth: 'creds', 'auth.creds.id': 'k' });
  expect(mergedDraft(base, withValues({ arn: 'mine' }), newest).values.auth).toBe('creds');
  expect(mergedDraft(base, withValues({ 'auth.role.arn': 'mine' }), newest).values.auth).toBe('role');
});

describe('credentials that belong together are of one person', () => {
  const old = { auth: 'creds', 'auth.creds.id': 'OLD', 'auth.creds.secret': '' };
  const creds = withValues(old);
  const theirs = withValues({ auth: 'creds', 'auth.creds.id': 'THEIRS' });

  it.each([
    ['the secret alone', { 'auth.creds.secret': 's' }],
    ['the id alone: the stored secret is not of it', { 'auth.creds.id': 'MINE' }],
  ])('where a person typed %s', (_what, change) => {
    const typed = withValues({ ...old, ...change });
    const merged = mergedDraft(creds, typed, theirs);
    expect(merged).toEqual(typed);
    expect(hasStoredCredentials(theirs, merged)).toBe(false);
  });

  it('where a person typed none of them: they are the newest ones', () => {
    const merged = mergedDraft(creds, withValues({ ...old, arn: 'mine' }), theirs);
    expect(merged.values).toMatchObject({ arn: 'mine', 'auth.creds.id': 'THEIRS' });
    expect(hasStoredCredentials(theirs, merged)).toBe(true);
  });

  it.each([
    [{ tenant: 't', client: 'c' }, { key: 's' }, { client: 'theirs' }],
    [{ tenant: 't', client: 'c' }, { tenant: 'mine' }, { client: 'theirs' }],
  ])('of a kind without a choice: %o with the typed %o', (values, mine, other) => {
    const properties = { tenant: text, client: text, key: secret, uri: text };
    const kind = { ...stream, credentials: ['tenant', 'client', 'key'], schema: { properties } };
    const draft = (more: Values): TargetDraft => ({ kind, values: { ...values, ...more } });
    expect(mergedDraft(draft({}), draft(mine), draft(other))).toEqual(draft(mine));
    expect(hasStoredCredentials(draft(other), draft(mine))).toBe(false);
  });
});
