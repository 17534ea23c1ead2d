import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Event } from '@waybill/client';
import type { ReactNode } from 'react';
import { familyOfId } from '../../api/families.js';
import { keyNameQuery } from '../../api/key-name.js';
import type { EventSearch } from '../../app/event-search.js';
import { CopyButton } from '../../components/copy-button.js';
import { ResourceLink } from '../../components/resource-link.js';
import { Time } from '../../components/time.js';
import ui from '../../components/ui.module.css';
import styles from './event.module.css';

/** Id of the principal of a published event that names none. */
const UNKNOWN = 'unknown';

interface FactsProps {
  /** Id of the resource. */
  readonly resource: string;
  readonly payload: NonNullable<Event['payload']>;
}

/** Who, what, when, with which key, from where. Each of them leads to the other events that have the same. */
export function Facts({ resource, payload }: FactsProps) {
  const { principal, request: origin, version } = payload;
  // None for the resources of a publisher.
  const family = familyOfId(resource);
  const via = 'via' in principal ? principal.via : undefined;
  const occurredAt = 'occurred_at' in payload ? payload.occurred_at : undefined;
  const repaired = 'repaired' in payload ? payload.repaired : undefined;
  const publisherRequest = 'id' in origin ? origin.id : undefined;
  return (
    <dl className={`${ui.card} ${ui.columns} ${styles.facts}`}>
      <Fact name="Who" same={{ principal_id: principal.id }} sameText="Events of this principal">
        {principal.subject}
        {principal.id === UNKNOWN ? (
          <span className={ui.note}>the publisher named nobody</span>
        ) : (
          <Id text={principal.id} what="principal" />
        )}
      </Fact>
      <Fact name="What" same={{ object_id: resource }} sameText="History of this resource">
        <Id text={resource} what="resource" />
        {version > 0 && <span className={ui.note}>version {version.toLocaleString('en')}</span>}
        {family && (
          <span className={ui.note}>
            <ResourceLink family={family} id={resource}>
              Page of the {family.one}
            </ResourceLink>
          </span>
        )}
      </Fact>
      <Fact name="When">
        <Time at={payload.event_timestamp} show="both" withMs />
        {occurredAt !== undefined && (
          <span className={ui.note}>
            by the clock of the publisher <Time at={occurredAt} show="absolute" withMs />
          </span>
        )}
      </Fact>
      {via ? (
        <Fact name="With which key" same={{ credential_id: via.id }} sameText="Events of this key">
          <KeyName id={via.id} />
          <Id text={via.id} what="key" />
          <span className={ui.note}>published it</span>
        </Fact>
      ) : principal.credential ? (
        <Fact name="With which key" same={{ credential_id: principal.credential.id }} sameText="Events of this key">
          <KeyName id={principal.credential.id} />
          <Id text={principal.credential.id} what="key" />
        </Fact>
      ) : (
        <Fact name="With which key">
          <span className={ui.note}>none: the service itself made the change</span>
        </Fact>
      )}
      {repaired && (
        <Fact name="Repaired">
          {repaired.by}
          <Time at={repaired.at} show="absolute" withMs />
          <span className={ui.note}>{repaired.reason}</span>
        </Fact>
      )}
      <Fact name="From where" same={{ operation_id: origin.operation_id }} sameText="Events of this request">
        <span>
          <span className={ui.note}>Address</span> {origin.ip ?? 'none'}
        </span>
        <span>
          <span className={ui.note}>Agent</span> {origin.user_agent ?? 'none'}
        </span>
        <span className={ui.note}>Operation</span>
        <Id text={origin.operation_id} what="operation" />
        {publisherRequest !== undefined && (
          <>
            <span className={ui.note}>Request at the publisher</span>
            <Id text={publisherRequest} what="request at the publisher" />
          </>
        )}
      </Fact>
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  /** The search for the events that have the same. */
  readonly same?: EventSearch;
  readonly sameText?: string;
  readonly children: ReactNode;
}

function Fact({ name, same, sameText, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {same && (
          <span className={ui.note}>
            <Link to="/events" search={same}>
              {sameText}
            </Link>
          </span>
        )}
      </dd>
    </div>
  );
}

function Id({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className={styles.idLine}>
      <code>{text}</code>
      <CopyButton text={text} label={`Copy the id of the ${what}`} />
    </span>
  );
}

/** The description of an API key, where it exists and the session may see it. */
function KeyName({ id }: { readonly id: string }) {
  const { data, isPending } = useQuery(keyNameQuery(id));
  return data == null && !isPending ? null : <span>{data ?? '…'}</span>;
}
