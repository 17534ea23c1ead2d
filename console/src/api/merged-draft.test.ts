import { expect, it } from 'vitest';
import { mergedDraft, mergedText } from './merged-draft.js';
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
