import { keptValues, type TargetDraft } from '../../components/target/draft.js';
import type { Values } from '../../components/target/fields.js';
import { isChanged } from '../../components/target/merged-draft.js';
import { keepText, keptText, type Keeper } from '../../preferences/kept-text.js';

/** What a person has changed of a destination and not saved, without secrets. */
interface Edits {
  /** Absent where it is not changed. */
  readonly description?: string | undefined;
  /** The changed ones, by the paths of their fields. */
  readonly values: Values;
  /** Version that was changed: a later change of another person is refused by it, and not overwritten. */
  readonly etag?: string | undefined;
}

/** Returns the name under which the edits of a destination are kept. */
export function nameOfEdits(id: string): string {
  return `settings.${id}`;
}

/** Returns the values of a draft that differ from the stored ones and that the browser may keep. */
export function changedValues(draft: TargetDraft, stored: TargetDraft): Values {
  const changed = Object.entries(keptValues(draft)).filter(([path, value]) => isChanged(stored.values[path], value));
  return Object.fromEntries(changed);
}

/** Keeps edits in this tab, also over the end of the session. */
export function keepEdits(keeper: Keeper, id: string, edits: Edits): void {
  keepText(keeper, nameOfEdits(id), JSON.stringify(edits));
}

/** Returns the edits of a destination that are kept; null where there are none. */
export function keptEdits(keeper: Keeper, id: string): Edits | null {
  const text = keptText(keeper, nameOfEdits(id));
  // Only `keepEdits` writes it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return text === null ? null : (JSON.parse(text) as Edits);
}
