import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Event } from '@waybill/client';
import type { ReactNode } from 'react';
import { familyOfId } from '../../api/families.js';
import { keyNameQuery } from '../../api/key-name.js';
import type { EventSearch } from '../../app/event-search.js';
import { CopyButton } from '../../components/copy-button.js';
import { Fact } from '../../components/facts.js';
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
  const key = via ?? principal.credential;
  const occurredAt = 'occurred_at' in payload ? payload.occurred_at : undefined;
  const repaired = 'repaired' in payload ? payload.repaired : undefined;
  const publisherRequest = 'id' in origin ? origin.id : undefined;
  return (
    <dl className={`${ui.card} ${ui.columns} ${styles.facts}`}>
      <Fact name="Who">
        {principal.subject}
        {principal.id === UNKNOWN ? (
          <span className={ui.note}>the publisher named nobody</span>
        ) : (
          <Id text={principal.id} what="principal" />
        )}
        <Same search={{ principal_id: principal.id }}>Events of this principal</Same>
      </Fact>
      <Fact name="What">
        <Id text={resource} what="resource" />
        {version > 0 && <span className={ui.note}>version {version.toLocaleString('en')}</span>}
        {family && (
          <span className={ui.note}>
            <ResourceLink family={family} id={resource}>
              Page of the {family.one}
            </ResourceLink>
          </span>
        )}
        <Same search={{ object_id: resource }}>History of this resource</Same>
      </Fact>
      <Fact name="When">
        <Time at={payload.event_timestamp} show="both" withMs />
        {occurredAt !== undefined && (
          <span className={ui.note}>
            by the clock of the publisher <Time at={occurredAt} show="absolute" withMs />
          </span>
        )}
      </Fact>
      <Fact name="With which key">
        {key ? (
          <>
            <KeyName id={key.id} />
            <Id text={key.id} what="key" />
            {via && <span className={ui.note}>published it</span>}
            <Same search={{ credential_id: key.id }}>Events of this key</Same>
          </>
        ) : (
          <span className={ui.note}>none: the service itself made the change</span>
        )}
      </Fact>
      {repaired && (
        <Fact name="Repaired">
          {repaired.by}
          <Time at={repaired.at} show="absolute" withMs />
          <span className={ui.note}>{repaired.reason}</span>
        </Fact>
      )}
      <Fact name="From where">
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
        <Same search={{ operation_id: origin.operation_id }}>Events of this request</Same>
      </Fact>
    </dl>
  );
}

/** Leads to the events that have the same. */
function Same({ search, children }: { readonly search: EventSearch; readonly children: ReactNode }) {
  return (
    <span className={ui.note}>
      <Link to="/events" search={search}>
        {children}
      </Link>
    </span>
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
