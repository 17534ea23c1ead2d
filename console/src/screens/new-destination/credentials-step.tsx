import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EventDestination } from '@waybill/client';
import { destinationCreated } from '../../api/destination.js';
import { request } from '../../api/request.js';
import { externalIdOf, targetArnOf, targetInputOf, usesRole, type TargetDraft } from '../../api/target-draft.js';
import { credentialFieldsOf } from '../../api/target-fields.js';
import { Button } from '../../components/button.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { RolePolicies } from '../../components/role-policies.js';
import { TargetFacts } from '../../components/target-facts.js';
import { CredentialFields } from '../../components/target-form.js';
import { RoleSteps } from './role-steps.js';
import { faultsBeforeCreation } from './steps.js';
import styles from './new-destination.module.css';

/** Properties of `CredentialsStep`. */
export interface CredentialsStepProps {
  readonly draft: TargetDraft;
  readonly description: string;
  /** Null before it is created. */
  readonly destination: EventDestination | null;
  /** Whether the input was kept, and without its secrets. */
  readonly wasKept: boolean;
  readonly onDraft: (draft: TargetDraft) => void;
  /** Called with the id of the new destination. */
  readonly onCreated: (id: string) => void;
}

/** The credentials, and the button that creates the destination. Its external id exists after that. */
export function CredentialsStep(props: CredentialsStepProps) {
  const { draft, destination } = props;
  return (
    <>
      {destination ? <Created draft={draft} destination={destination} /> : <Create {...props} />}
      {usesRole(draft) && (
        <RolePolicies
          kind={draft.kind}
          targetArn={targetArnOf(draft)}
          externalId={destination ? externalIdOf(destination.target) : null}
        />
      )}
    </>
  );
}

function Created({ draft, destination }: { readonly draft: TargetDraft; readonly destination: EventDestination }) {
  return (
    <>
      <dl className={styles.facts}>
        <TargetFacts draft={draft} fields={credentialFieldsOf(draft)} />
      </dl>
      <p>
        The destination <code>{destination.id}</code> is created.{' '}
        <Link to="/destinations/$id" params={{ id: destination.id }} search={{ tab: 'settings', edit: 'target' }}>
          Change its settings
        </Link>
      </p>
    </>
  );
}

function Create({ draft, description, wasKept, onDraft, onCreated }: CredentialsStepProps) {
  const client = useQueryClient();
  const isReady = faultsBeforeCreation(draft, description).length === 0;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      request('POST', '/event_destinations', {
        body: {
          ...(description.trim() !== '' && { description: description.trim() }),
          target: targetInputOf(draft),
        },
      }),
    onSuccess: (destination) => {
      destinationCreated(client, destination);
      onCreated(destination.id);
    },
  });
  return (
    <form
      className={styles.form}
      aria-label="Credentials"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isPending) mutate();
      }}
    >
      {wasKept && credentialFieldsOf(draft).some(({ secret }) => secret) && (
        <p className={styles.soft}>This tab has kept the input, but no secret: type it again.</p>
      )}
      <CredentialFields draft={draft} onChange={onDraft}>
        {usesRole(draft) && <RoleSteps />}
      </CredentialFields>
      {error && <ProblemPanel error={error} title="The destination was not created" />}
      <div className={styles.line}>
        <Button type="submit" look="main" isDisabled={!isReady} isBusy={isPending}>
          Create the destination
        </Button>
        <span className={styles.soft}>It receives nothing before step 5.</span>
      </div>
    </form>
  );
}
