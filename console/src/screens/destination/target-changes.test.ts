import { expect, it } from 'vitest';
import { memberChanges } from './target-changes.js';

const old = { kinesis: null, log_group: { arn: 'arn:a', auth: { key: 'AKIA', secret: null } } };

it('names each member that has another value, with both values', () => {
  expect(
    memberChanges({
      before: { description: 'Lake', target: old },
      after: { description: null, target: { ...old, log_group: { ...old.log_group, arn: 'arn:b' } } },
    }),
  ).toEqual([
    { path: 'description', before: 'Lake', after: null },
    { path: 'target.log_group.arn', before: 'arn:a', after: 'arn:b' },
  ]);
});

it('takes neither another order of members nor an absent one for a change', () => {
  const { log_group: group } = old;
  expect(memberChanges({ before: { target: old }, after: { target: { log_group: group } } })).toEqual([]);
});

it('names each member of what is used from now on, and of what is not any more', () => {
  const [role, creds] = [{ role_arn: 'arn:r' }, { key: 'AKIA', tags: ['a'] }];
  const before = { description: 'Lake', target: { auth: { role, creds: null } } };
  expect(memberChanges({ before, after: { ...before, target: { auth: { role: null, creds } } } })).toEqual([
    { path: 'target.auth.creds.key', before: null, after: 'AKIA' },
    { path: 'target.auth.creds.tags', before: null, after: ['a'] },
    { path: 'target.auth.role.role_arn', before: 'arn:r', after: null },
  ]);
});
