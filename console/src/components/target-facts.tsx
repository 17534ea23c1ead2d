import type { TargetDraft } from '../api/target-draft.js';
import { shownValueOf, type TargetField } from '../api/target-fields.js';

/** Properties of `TargetFacts`. */
export interface TargetFactsProps {
  /** A stored configuration. */
  readonly draft: TargetDraft;
  readonly fields: readonly TargetField[];
}

/** Fields of a stored configuration and their values, as parts of a list `dl`. */
export function TargetFacts({ draft, fields }: TargetFactsProps) {
  return fields.map((field) => (
    <div key={field.name}>
      <dt>{field.label}</dt>
      <dd>{shownValueOf(field, draft)}</dd>
    </div>
  ));
}
