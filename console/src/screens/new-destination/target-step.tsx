import type { TargetKind } from '../../api/target-kinds.js';
import { Button } from '../../components/button.js';
import { Fact, Facts } from '../../components/facts.js';
import { RadioField, TextField } from '../../components/form-field.js';
import { draftOfFittingKind, targetFields, type TargetDraft } from '../../components/target/draft.js';
import type { Values } from '../../components/target/fields.js';
import { TargetFacts, TargetFields } from '../../components/target/target-form.js';
import { descriptionFault } from './steps.js';
import ui from '../../components/ui.module.css';

/** Properties of `TargetStep`. */
export interface TargetStepProps {
  readonly kinds: readonly TargetKind[];
  readonly draft: TargetDraft;
  readonly description: string;
  /** Whether the destination exists, so that its settings are the place to change it. */
  readonly isCreated: boolean;
  /** What the service refused, by path of the field. */
  readonly refused: Values;
  readonly onDraft: (draft: TargetDraft) => void;
  readonly onDescription: (description: string) => void;
}

/** Chooses the service that events are sent to, and says where in it. */
export function TargetStep(props: TargetStepProps) {
  const { kinds, draft, description, isCreated, refused, onDraft, onDescription } = props;
  if (isCreated) {
    return (
      <Facts wide>
        <Fact name="Service">{draft.kind.title}</Fact>
        {description !== '' && <Fact name="Description">{description}</Fact>}
        <TargetFacts draft={draft} fields={targetFields(draft)} />
      </Facts>
    );
  }
  const fitting = draftOfFittingKind(kinds, draft);
  return (
    <>
      <RadioField
        label="Service"
        options={kinds.map(({ kind, title }) => [kind, title])}
        value={draft.kind.kind}
        onChange={(name) => onDraft({ ...draft, kind: kinds.find(({ kind }) => kind === name) ?? draft.kind })}
      />
      <TextField
        label="Description"
        hint="The name on every page. Optional."
        fault={descriptionFault(description)}
        value={description}
        onChange={onDescription}
      />
      <TargetFields draft={draft} fields={targetFields(draft)} refused={refused} onChange={onDraft} />
      {fitting && (
        <div className={ui.line}>
          <span>The value is one for {fitting.kind.title}.</span>
          <Button onPress={() => onDraft(fitting)}>{`Choose ${fitting.kind.title}`}</Button>
        </div>
      )}
    </>
  );
}
