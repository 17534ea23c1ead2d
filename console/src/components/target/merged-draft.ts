import { credentialFields, isCredential, type TargetDraft } from './draft.js';
import { fieldsOf } from './fields.js';

/**
 * Returns a draft after the change of another person: fields that were typed stay, the others have the newest values.
 * Credentials that belong together stay as a whole where one of them was typed; the secret may be missing then
 * (`hasStoredCredentials`).
 * @param base what the typed draft began with
 */
export function mergedDraft(base: TargetDraft, typed: TargetDraft, newest: TargetDraft): TargetDraft {
  const paths = fieldsOf(newest.kind.schema, null).map(({ path }) => path);
  const isTyped = (path: string): boolean =>
    groupOf(newest, paths, path).some((one) => isChanged(base.values[one], typed.values[one]));
  const values = paths.flatMap((path) => {
    const value = (isTyped(path) ? typed : newest).values[path];
    return value === undefined ? [] : [[path, value] as const];
  });
  return { kind: newest.kind, values: Object.fromEntries(values) };
}

/**
 * Returns the fields that belong together with one: credentials of the same object, and those below a choice. Halves of
 * two persons do not fit.
 */
function groupOf({ kind }: TargetDraft, paths: readonly string[], path: string): readonly string[] {
  if (!isCredential(kind, path)) return [path];
  return paths.filter(
    (one) => (isCredential(kind, one) && parentOf(one) === parentOf(path)) || one.startsWith(`${path}.`),
  );
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/**
 * Whether a draft has the stored credentials, as far as the API shows them, so that the stored secret belongs to them.
 * After the change of another person, the secret of any others has to be typed.
 */
export function hasStoredCredentials(stored: TargetDraft, draft: TargetDraft): boolean {
  const fields = credentialFields(draft);
  const withSecret = fields.filter(({ schema }) => schema.writeOnly).map(({ path }) => parentOf(path));
  return fields.every(
    ({ path, schema }) =>
      schema.writeOnly || !withSecret.includes(parentOf(path)) || !isChanged(stored.values[path], draft.values[path]),
  );
}

/** Like `mergedDraft`, for one text. */
export function mergedText(base: string, typed: string, newest: string): string {
  return isChanged(base, typed) ? typed : newest;
}

/** Whether two values differ. An empty text and an absent one are the same. */
export function isChanged(one: string | undefined, other: string | undefined): boolean {
  return (one ?? '').trim() !== (other ?? '').trim();
}
