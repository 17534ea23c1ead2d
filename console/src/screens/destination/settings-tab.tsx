import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EventDestination, EventDestinationStatus } from '@waybill/client';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { destinationChanged, destinationQuery, lastChangeQuery } from '../../api/destination.js';
import { ProblemError } from '../../api/problem.js';
import { request } from '../../api/request.js';
import { nameOrId } from '../../api/resource-label.js';
import type { TargetKind } from '../../api/target-kinds.js';
import type { Versioned } from '../../api/versioned.js';
import { useMay, useSession } from '../../app/session-context.js';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy-button.js';
import { Fact, Facts } from '../../components/facts.js';
import { TextField } from '../../components/form-field.js';
import { Icon } from '../../components/icon.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { credentialFields, draftOf, inputOf, targetFields, type TargetDraft } from '../../components/target/draft.js';
import { faultsOf, fieldsOf, refusedValues, type Field } from '../../components/target/fields.js';
import { hasStoredCredentials, isChanged, mergedDraft, mergedText } from '../../components/target/merged-draft.js';
import { RolePolicies } from '../../components/target/role-policies.js';
import { externalIdOf, usesRole } from '../../components/target/role.js';
import { TargetFacts, TargetFields } from '../../components/target/target-form.js';
import { WithTargetKinds } from '../../components/target/target-kinds.js';
import { Time } from '../../components/time.js';
import { UnsavedQuestion } from '../../components/unsaved-question.js';
import { forgetText } from '../../preferences/kept-text.js';
import { DeleteDestination } from './delete-destination.js';
import { changedValues, keepEdits, keptEdits, nameOfEdits } from './kept-edits.js';
import { LastChangeFacts } from './last-change.js';
import { Subscriptions } from './subscriptions.js';
import ui from '../../components/ui.module.css';

/** Properties of `SettingsTab`. */
export interface SettingsTabProps {
  readonly version: Versioned<EventDestination>;
  /** Undefined while it is not known. */
  readonly status: EventDestinationStatus | undefined;
  /** Whether the form is open. */
  readonly isOpen: boolean;
  readonly onOpen: (open: boolean) => void;
}

/** How a destination is configured: target, credentials, what sends events to it. */
export function SettingsTab({ version, status, isOpen, onOpen }: SettingsTabProps) {
  const mayChange = useMay('change');
  const { id, description } = version.resource;
  // When the change was saved, and what the status was then; null while nothing was saved.
  const [saved, setSaved] = useState<Saved | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOpen = useRef(isOpen);
  // The form had the focus.
  useEffect(() => {
    if (wasOpen.current && !isOpen) heading.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <>
      {saved !== null && (
        <p role="status" className={`${ui.strong} ${ui.toned}`} data-tone="good">
          <Icon name="healthy" /> Saved <Time at={saved.at} show="absolute" />.
          {saved.wasPaused === isPaused(status) && ` ${savedText(status, saved)}`}
        </p>
      )}
      <WithTargetKinds>
        {(kinds) =>
          isOpen && mayChange ? (
            <SettingsForm
              kinds={kinds}
              version={version}
              onSaved={() => {
                setSaved({ at: new Date().toISOString(), mark: markOf(status), wasPaused: isPaused(status) });
                onOpen(false);
              }}
              onCancel={() => onOpen(false)}
            />
          ) : (
            <Configuration
              kinds={kinds}
              heading={heading}
              version={version}
              onEdit={
                mayChange
                  ? () => {
                      setSaved(null);
                      onOpen(true);
                    }
                  : null
              }
            />
          )
        }
      </WithTargetKinds>
      <Subscriptions destinationId={id} />
      {mayChange && <DeleteDestination id={id} name={nameOrId(description, id)} />}
    </>
  );
}

interface Saved {
  /** RFC 3339. */
  readonly at: string;
  /** `markOf` the status. */
  readonly mark: string;
  readonly wasPaused: boolean;
}

/** Returns a text that differs after the next attempt has ended. */
function markOf(status: EventDestinationStatus | undefined): string {
  return status ? [status.status, status.since, status.last_error?.at].join(' ') : '';
}

function isPaused(status: EventDestinationStatus | undefined): boolean {
  return status?.status === 'paused';
}

/** Returns what a saved change leads to. */
function savedText(status: EventDestinationStatus | undefined, { mark }: Saved): string {
  const isFailing = status?.status === 'misconfigured' || status?.status === 'retrying';
  if (isPaused(status)) return 'The next attempt is made when the pause ends.';
  if (!isFailing) return '';
  return markOf(status) === mark
    ? 'The next attempt is under way: the state above is the one before it.'
    : 'The next attempt failed: the reason is above.';
}

interface ConfigurationProps {
  readonly kinds: readonly TargetKind[];
  readonly version: Versioned<EventDestination>;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  /** Opens the form; null where the role cannot change the destination. */
  readonly onEdit: (() => void) | null;
}

function Configuration({ kinds, version, heading, onEdit }: ConfigurationProps) {
  const { resource: destination } = version;
  const draft = draftOf(kinds, destination.target);
  const hasRole = usesRole(draft);
  return (
    <>
      <section className={`${ui.card} ${ui.stack}`} aria-labelledby="target">
        <div className={`${ui.line} ${ui.between}`}>
          <h2 id="target" ref={heading} tabIndex={-1}>
            {draft.kind.title}
          </h2>
          {onEdit ? (
            <Button onPress={onEdit}>Change the destination</Button>
          ) : (
            <span className={ui.soft}>Your role cannot change it.</span>
          )}
        </div>
        <Facts wide>
          <Fact name="Id">
            <code>{destination.id}</code>
            <CopyButton text={destination.id} label="Copy the id" />
          </Fact>
          <Fact name="Created">
            <Time at={destination.created_at} show="both" />
          </Fact>
          <Fact name="Description">{destination.description ?? 'none'}</Fact>
          <Fact name="Metadata">{destination.metadata ?? 'none'}</Fact>
          <TargetFacts draft={draft} fields={[...targetFields(draft), ...credentialFields(draft)]} />
        </Facts>
        <LastChangeFacts id={destination.id} />
      </section>
      {hasRole && (
        <section className={`${ui.card} ${ui.stack}`} aria-labelledby="role">
          <h2 id="role">What the role needs</h2>
          <RolePolicies draft={draft} externalId={externalIdOf(draft.kind, destination.target)} />
        </section>
      )}
    </>
  );
}

interface SettingsFormProps {
  readonly kinds: readonly TargetKind[];
  readonly version: Versioned<EventDestination>;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

function SettingsForm({ kinds, version, onSaved, onCancel }: SettingsFormProps) {
  const session = useSession();
  const [kept] = useState(() => keptEdits(session, version.resource.id));
  // A later change of another person is refused by its version, and not overwritten.
  const [{ resource: destination, etag }, setBase] = useState({ ...version, etag: kept?.etag ?? version.etag });
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  // The focus follows the button above.
  useEffect(() => heading.current?.focus(), []);
  const stored = useMemo(() => draftOf(kinds, destination.target), [kinds, destination]);
  const [draft, setDraft] = useState(kept ? { ...stored, values: { ...stored.values, ...kept.values } } : stored);
  const [description, setDescription] = useState(kept?.description ?? destination.description ?? '');
  const [note, setNote] = useState(
    kept
      ? 'What you changed before is still here, and not saved. Secrets and texts that could be one are not kept: check each field.'
      : '',
  );
  // After a conflict, the stored secret may be that of another person.
  const [isMerged, setMerged] = useState(false);
  const isForeign = isMerged && !hasStoredCredentials(stored, draft);
  const fields = [...targetFields(draft), ...credentialFields(draft)];
  const secrets = fields.filter(({ schema }) => schema.writeOnly);
  const storedFields = fieldsOf(stored.kind.schema, stored.values);
  const isStored = ({ path, schema }: Field): boolean =>
    schema.writeOnly === true && !isForeign && storedFields.some((one) => one.path === path);
  const faults = faultsOf(fields, draft.values, isStored);
  const isUnchanged = description.trim() === (destination.description ?? '') && isSameDraft(draft, stored);
  useEffect(() => {
    if (isUnchanged) forgetText(session, nameOfEdits(destination.id));
    else {
      const isOther = isChanged(destination.description ?? '', description);
      const values = changedValues(draft, stored);
      keepEdits(session, destination.id, { description: isOther ? description : undefined, values, etag });
    }
  }, [session, destination, etag, isUnchanged, description, draft, stored]);
  // Whether the form may be left: it was saved, or its edits were given up.
  const isOver = useRef(false);
  const end = (then: () => void): void => {
    isOver.current = true;
    forgetText(session, nameOfEdits(destination.id));
    then();
  };
  const save = useMutation({
    mutationFn: () =>
      request('PATCH', '/event_destinations/{id}', {
        path: { id: destination.id },
        body: { description: description.trim() === '' ? null : description.trim(), target: inputOf(draft) },
        ...(etag !== undefined && { ifMatch: etag }),
      }),
    onSuccess: () => {
      end(onSaved);
      return destinationChanged(client, destination.id);
    },
    onError: () => client.invalidateQueries({ queryKey: lastChangeQuery(destination.id).queryKey }),
  });
  // After the change of another person. What was typed stays, and the other fields have the newest values.
  const read = useMutation({
    mutationFn: () => client.fetchQuery({ ...destinationQuery(destination.id), staleTime: 0 }),
    onSuccess: (newest) => {
      const next = newest.resource;
      setDraft((typed) => mergedDraft(stored, typed, draftOf(kinds, next.target)));
      setDescription((typed) => mergedText(destination.description ?? '', typed, next.description ?? ''));
      setBase(newest);
      setMerged(true);
      save.reset();
      setNote('Read again. Fields that you did not change have the newest values. Saving replaces the others.');
    },
  });
  const hasConflict = isConflict(save.error);
  const submit = (): void => {
    if (faults.length > 0 || save.isPending || hasConflict) return;
    setNote(isUnchanged ? 'Nothing has changed, and nothing was sent.' : '');
    if (!isUnchanged) save.mutate();
  };
  return (
    <form
      className={`${ui.card} ${ui.stack}`}
      aria-label="Change the destination"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <UnsavedQuestion isUnsaved={() => !isUnchanged && !isOver.current} />
      <h2 ref={heading} tabIndex={-1}>
        Change the destination: {draft.kind.title}
      </h2>
      <TextField label="Description" hint="The name on every page." value={description} onChange={setDescription} />
      <TargetFields
        draft={draft}
        fields={fields}
        refused={refusedValues(save.error, draft.kind.kind)}
        isStored={isStored}
        onChange={(next) => {
          if (save.error && !hasConflict) save.reset();
          setDraft(next);
        }}
      />
      {usesRole(draft) && <RolePolicies draft={draft} externalId={externalIdOf(draft.kind, destination.target)} />}
      <p className={ui.soft}>
        The kind of target cannot be changed. After the change, the next attempt is made at once.
      </p>
      {isForeign && secrets.some(({ path }) => (draft.values[path] ?? '').trim() === '') && (
        <p className={ui.soft}>
          The stored secret may belong to other credentials. Type the one that belongs to the credentials that you
          typed.
        </p>
      )}
      {faults.length > 0 && (
        <ul className={ui.soft} aria-label="What the form needs">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {hasConflict && (
        <div role="alert" className={ui.items} data-tone="warn">
          <p className={`${ui.line} ${ui.strong} ${ui.toned}`}>
            <Icon name="misconfigured" /> Not saved: another person has changed the destination since you opened it.
          </p>
          <LastChangeFacts id={destination.id} />
          <div className={ui.line}>
            <Button isBusy={read.isPending} onPress={() => read.mutate()}>
              Read the destination again
            </Button>
            <span className={ui.soft}>What you typed stays.</span>
          </div>
        </div>
      )}
      {save.error && !hasConflict && <ProblemPanel error={save.error} title="The destination was not saved" />}
      {read.error && <ProblemPanel error={read.error} title="The destination could not be read" />}
      <p role="status">{note}</p>
      <div className={ui.line}>
        <Button type="submit" look="main" isDisabled={faults.length > 0 || hasConflict} isBusy={save.isPending}>
          Save the destination
        </Button>
        <Button onPress={() => end(onCancel)}>Cancel</Button>
      </div>
    </form>
  );
}

/** Whether the version that was changed is not the newest one. */
function isConflict(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 412;
}

/** Whether two drafts have the same values. Empty texts and absent ones are the same. */
function isSameDraft(one: TargetDraft, other: TargetDraft): boolean {
  const names = [...new Set([...Object.keys(one.values), ...Object.keys(other.values)])];
  return names.every((name) => !isChanged(one.values[name], other.values[name]));
}
