import type { TargetDraft } from './target-draft.js';

/** Names of the values that belong to one way to sign in to AWS. */
const credentials = ['role_arn', 'cloud_access_key_id', 'cloud_secret_access_key'];

/**
 * Returns a draft after the change of another person: fields that were typed stay, the others have the newest values.
 * @param base what the typed draft began with
 */
export function mergedDraft(base: TargetDraft, typed: TargetDraft, newest: TargetDraft): TargetDraft {
  const names = new Set([base, typed, newest].flatMap(({ values }) => Object.keys(values)));
  const isTyped = (name: string): boolean => isChanged(base.values[name], typed.values[name]);
  const values = [...names].flatMap((name) => {
    const value = (isTyped(name) ? typed : newest).values[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const isAuthTyped = typed.auth !== base.auth || credentials.some(isTyped);
  return { kind: newest.kind, auth: (isAuthTyped ? typed : newest).auth, values: Object.fromEntries(values) };
}

/** Like `mergedDraft`, for one text. */
export function mergedText(base: string, typed: string, newest: string): string {
  return isChanged(base, typed) ? typed : newest;
}

/** Whether two values differ. An empty text and an absent one are the same. */
export function isChanged(one: string | undefined, other: string | undefined): boolean {
  return (one ?? '').trim() !== (other ?? '').trim();
}
