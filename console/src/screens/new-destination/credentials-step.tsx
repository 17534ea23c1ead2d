import { Link } from '@tanstack/react-router';
import type { EventDestination } from '@waybill/client';
import { Button } from '../../components/button.js';
import { Facts } from '../../components/facts.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { credentialFields, type TargetDraft } from '../../components/target/draft.js';
import type { Values } from '../../components/target/fields.js';
import { RolePolicies } from '../../components/target/role-policies.js';
import { externalIdOf, usesRole } from '../../components/target/role.js';
import { TargetFacts, TargetFields } from '../../components/target/target-form.js';
import { RoleSteps } from './role-steps.js';
import ui from '../../components/ui.module.css';

/** Properties of `CredentialsStep`. */
export interface CredentialsStepProps {
  readonly draft: TargetDraft;
  /** Null before it is created. */
  readonly destination: EventDestination | null;
  /** Whether the input was kept, without secrets and texts that could be one. */
  readonly wasKept: boolean;
  /** What the service refused, by path of the field. */
  readonly refused: Values;
  readonly onDraft: (draft: TargetDraft) => void;
  readonly creation: {
    /** Whether nothing is missing. */
    readonly isReady: boolean;
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly mutate: () => void;
  };
}

/** The credentials, and the button that creates the destination. Its external id exists after that. */
export function CredentialsStep(props: CredentialsStepProps) {
  const { draft, destination } = props;
  return (
    <>
      {destination ? <Created draft={draft} destination={destination} /> : <Create {...props} />}
      {usesRole(draft) && (
        <RolePolicies draft={draft} externalId={destination ? externalIdOf(draft.kind, destination.target) : null} />
      )}
    </>
  );
}

function Created({ draft, destination }: { readonly draft: TargetDraft; readonly destination: EventDestination }) {
  return (
    <>
      <Facts wide>
        <TargetFacts draft={draft} fields={credentialFields(draft)} />
      </Facts>
      <p>
        The destination <code>{destination.id}</code> is created.{' '}
        <Link to="/destinations/$id" params={{ id: destination.id }} search={{ tab: 'settings', edit: 'target' }}>
          Change its settings
        </Link>
      </p>
    </>
  );
}

function Create({ draft, wasKept, refused, onDraft, creation }: CredentialsStepProps) {
  const { isReady, isPending, error, mutate } = creation;
  const fields = credentialFields(draft);
  const shared = { draft, refused, onChange: onDraft };
  return (
    <form
      className={ui.stack}
      aria-label="Credentials"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) mutate();
      }}
    >
      {wasKept && fields.some(({ schema }) => schema.writeOnly) && (
        <p className={ui.soft}>
          This tab has kept the input, but no secret and no text that could be one: type them again.
        </p>
      )}
      <TargetFields {...shared} fields={fields.filter(({ isChoice }) => isChoice)} />
      {usesRole(draft) && <RoleSteps />}
      <TargetFields {...shared} fields={fields.filter(({ isChoice }) => !isChoice)} />
      {error && <ProblemPanel error={error} title="The destination was not created" />}
      <div className={ui.line}>
        <Button type="submit" look="main" isDisabled={!isReady} isBusy={isPending}>
          Create the destination
        </Button>
        <span className={ui.soft}>It receives nothing before step 5.</span>
      </div>
    </form>
  );
}
