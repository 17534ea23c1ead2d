import { describe, expect, it } from 'vitest';
import { hasStoredPair, mergedDraft, mergedText } from './merged-draft.js';
import type { TargetDraft } from './target-draft.js';

const base: TargetDraft = { kind: 'data_stream', auth: 'role', values: { stream_arn: 'a', role_arn: 'r' } };

function withValues(values: TargetDraft['values'], auth = base.auth): TargetDraft {
  return { ...base, auth, values: { ...base.values, ...values } };
}

it('takes the fields of another person that were not typed, and keeps those that were', () => {
  const typed = withValues({ role_arn: 'mine' });
  expect(mergedDraft(base, typed, withValues({ stream_arn: 'theirs', records: 'packed' }))).toEqual(
    withValues({ stream_arn: 'theirs', records: 'packed', role_arn: 'mine' }),
  );
  expect(mergedDraft(base, typed, withValues({ role_arn: 'theirs' }))).toEqual(typed);
  expect([mergedText('a', 'a ', 'theirs'), mergedText('a', 'mine', 'theirs')]).toEqual(['theirs', 'mine']);
});

it('keeps a field that was emptied, and a secret that was typed', () => {
  const typed = withValues({ stream_arn: '', cloud_secret_access_key: 's' }, 'creds');
  expect(mergedDraft(base, typed, withValues({ role_arn: 'theirs' }))).toEqual(
    withValues({ stream_arn: '', role_arn: 'theirs', cloud_secret_access_key: 's' }, 'creds'),
  );
});

it('takes another way to sign in, unless credentials were typed', () => {
  const newest = withValues({ cloud_access_key_id: 'k' }, 'creds');
  expect(mergedDraft(base, withValues({ stream_arn: 'mine' }), newest).auth).toBe('creds');
  expect(mergedDraft(base, withValues({ role_arn: 'mine' }), newest).auth).toBe('role');
});

describe('a pair of credentials is of one person', () => {
  const old = { cloud_access_key_id: 'AKIAOLD', cloud_secret_access_key: '' };
  const creds = withValues(old, 'creds');
  const theirs = withValues({ cloud_access_key_id: 'AKIATHEIRS' }, 'creds');

  it('whose secret alone was typed', () => {
    const typed = withValues({ ...old, cloud_secret_access_key: 's' }, 'creds');
    const merged = mergedDraft(creds, typed, theirs);
    expect(merged).toEqual(typed);
    expect(hasStoredPair(theirs, merged)).toBe(false);
  });

  it('whose id alone was typed: the stored secret is not of it', () => {
    const typed = withValues({ ...old, cloud_access_key_id: 'AKIAMINE' }, 'creds');
    const merged = mergedDraft(creds, typed, theirs);
    expect(merged).toEqual(typed);
    expect(hasStoredPair(theirs, merged)).toBe(false);
  });

  it('of which nothing was typed: it is the newest one', () => {
    const merged = mergedDraft(creds, withValues({ ...old, stream_arn: 'mine' }, 'creds'), theirs);
    expect(merged.values).toMatchObject({ stream_arn: 'mine', cloud_access_key_id: 'AKIATHEIRS' });
    expect(hasStoredPair(theirs, merged)).toBe(true);
  });

  it.each([
    ['log_ingestion', { tenant_id: 't', client_id: 'c' }, { client_secret: 's' }, { client_id: 'theirs' }],
    ['log_ingestion', { tenant_id: 't', client_id: 'c' }, { tenant_id: 'mine' }, { client_id: 'theirs' }],
    ['monitoring', { site: 'datadoghq.com' }, { api_key: 'k' }, { site: 'datadoghq.eu' }],
  ] as const)('of %s: %o with the typed %o', (kind, values, mine, other) => {
    const draft = (more: TargetDraft['values']): TargetDraft => ({
      kind,
      auth: 'role',
      values: { ...values, ...more },
    });
    expect(mergedDraft(draft({}), draft(mine), draft(other))).toEqual(draft(mine));
    expect(hasStoredPair(draft(other), draft(mine))).toBe(false);
  });
});
