import type { TargetDraft } from './target-draft.js';

/** Names of the values that belong to one way to sign in to AWS. */
const credentials = ['role_arn', 'cloud_access_key_id', 'cloud_secret_access_key'];

/** Names of the values that belong together, the secret last. Halves of two persons do not fit. */
const pairs = [
  ['cloud_access_key_id', 'cloud_secret_access_key'],
  ['tenant_id', 'client_id', 'client_secret'],
  // A Datadog API key is of one site.
  ['site', 'api_key'],
];

/**
 * Returns a draft after the change of another person: fields that were typed stay, the others have the newest values.
 * A pair stays as a whole where a part of it was typed; its secret may be missing then (`hasStoredPair`).
 * @param base what the typed draft began with
 */
export function mergedDraft(base: TargetDraft, typed: TargetDraft, newest: TargetDraft): TargetDraft {
  const names = new Set([base, typed, newest].flatMap(({ values }) => Object.keys(values)));
  const isTyped = (name: string): boolean =>
    pairOf(name).some((part) => isChanged(base.values[part], typed.values[part]));
  const values = [...names].flatMap((name) => {
    const value = (isTyped(name) ? typed : newest).values[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const isAuthTyped = typed.auth !== base.auth || credentials.some(isTyped);
  return { kind: newest.kind, auth: (isAuthTyped ? typed : newest).auth, values: Object.fromEntries(values) };
}

/**
 * Whether a draft has the stored pair, as far as the API shows it, so that the stored secret belongs to it. After the
 * change of another person, the secret of any other pair has to be typed.
 */
export function hasStoredPair(stored: TargetDraft, draft: TargetDraft): boolean {
  return pairs
    .flatMap((pair) => pair.slice(0, -1))
    .every((name) => !isChanged(stored.values[name], draft.values[name]));
}

function pairOf(name: string): readonly string[] {
  return pairs.find((pair) => pair.includes(name)) ?? [name];
}

/** Like `mergedDraft`, for one text. */
export function mergedText(base: string, typed: string, newest: string): string {
  return isChanged(base, typed) ? typed : newest;
}

/** Whether two values differ. An empty text and an absent one are the same. */
export function isChanged(one: string | undefined, other: string | undefined): boolean {
  return (one ?? '').trim() !== (other ?? '').trim();
}
