import { draftOfKind, kindOfArn, targetArnOf, targetKinds, type TargetDraft } from '../../api/target-draft.js';
import { descriptionFault, targetFieldsOf } from '../../api/target-fields.js';
import { serviceOf, type TargetKind } from '../../api/target-kind.js';
import { Button } from '../../components/button.js';
import { RadioField, TextField } from '../../components/form-field.js';
import { TargetFacts } from '../../components/target-facts.js';
import { TargetFields } from '../../components/target-form.js';
import styles from './new-destination.module.css';

const kinds: readonly (readonly [TargetKind, string])[] = targetKinds.map((kind) => [kind, serviceOf(kind)]);

/** Properties of `TargetStep`. */
export interface TargetStepProps {
  readonly draft: TargetDraft;
  readonly description: string;
  /** Whether the destination exists, so that its settings are the place to change it. */
  readonly isCreated: boolean;
  readonly onDraft: (draft: TargetDraft) => void;
  readonly onDescription: (description: string) => void;
}

/** Chooses the service that events are sent to, and says where in it. */
export function TargetStep({ draft, description, isCreated, onDraft, onDescription }: TargetStepProps) {
  if (isCreated) {
    return (
      <dl className={styles.facts}>
        <div>
          <dt>Service</dt>
          <dd>{serviceOf(draft.kind)}</dd>
        </div>
        {description !== '' && (
          <div>
            <dt>Description</dt>
            <dd>{description}</dd>
          </div>
        )}
        <TargetFacts draft={draft} fields={targetFieldsOf(draft.kind)} />
      </dl>
    );
  }
  const other = kindOfArn(targetArnOf(draft));
  return (
    <>
      <RadioField label="Service" options={kinds} value={draft.kind} onChange={(kind) => onDraft({ ...draft, kind })} />
      <TextField
        label="Description"
        hint="The name on every page. Optional."
        fault={descriptionFault(description)}
        value={description}
        onChange={onDescription}
      />
      <TargetFields draft={draft} fields={targetFieldsOf(draft.kind)} onChange={onDraft} />
      {other !== null && other !== draft.kind && (
        <div className={styles.line}>
          <span>The ARN is one of {serviceOf(other)}.</span>
          <Button onPress={() => onDraft(draftOfKind(draft, other))}>{`Choose ${serviceOf(other)}`}</Button>
        </div>
      )}
    </>
  );
}
