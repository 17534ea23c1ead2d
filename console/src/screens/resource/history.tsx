import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Event } from '@waybill/client';
import type { ReactNode } from 'react';
import { changesIn } from '../../api/events.js';
import { familyOfId } from '../../api/families.js';
import { historyQuery, type ResourceAddress } from '../../api/resources.js';
import { Card } from '../../components/card.js';
import { ChangedValues } from '../../components/changed-values.js';
import { MoreButton } from '../../components/more-button.js';
import { QueryState } from '../../components/query-state.js';
import { ResourceLink } from '../../components/resource-link.js';
import { Time } from '../../components/time.js';
import { changedValues } from '../../components/value-changes.js';
import { actionOf } from './history-entry.js';
import ui from '../../components/ui.module.css';
import styles from './resource.module.css';

/** The events of a resource as a timeline, newest first: who did what, and when. */
export function History({ address }: { readonly address: ResourceAddress }) {
  const { family } = address;
  const query = useInfiniteQuery({ ...historyQuery(address), enabled: family.hasHistory });
  const { data } = query;
  const events = data?.pages.flatMap(({ items }) => items);
  return (
    <Card title="History">
      {!family.hasHistory && <p className={ui.soft}>The resources of this family never change, and have no events.</p>}
      {family.hasHistory && <QueryState query={query} what="history" />}
      {events?.length === 0 && (
        <p className={ui.soft}>No event of it is left. Events are removed after their retention.</p>
      )}
      {events && events.length > 0 && (
        <ol className={`${ui.parts} ${styles.timeline}`}>
          {events.map((event) => (
            <li key={event.id} className={`${ui.items} ${styles.entry}`}>
              <Entry event={event} familyName={family.name} />
            </li>
          ))}
        </ol>
      )}
      <MoreButton query={query}>Earlier events</MoreButton>
    </Card>
  );
}

interface EntryProps {
  readonly event: Event;
  /** As the type of the event begins. */
  readonly familyName: string;
  /** What the event is about, where it is another resource. */
  readonly about?: ReactNode;
}

/** An event of a resource: who did what, when, and what changed. */
export function Entry({
  about,
  event: { id, type, created_at: at, resource_id: resourceId, payload },
  familyName,
}: EntryProps) {
  const keyId = payload?.principal.credential?.id ?? null;
  const changes = changesIn(payload);
  const changed = changes === null ? [] : changedValues(changes.before, changes.after);
  const keyFamily = keyId === null ? undefined : familyOfId(keyId);
  return (
    <>
      <p>
        {about}
        <strong className={styles.action}>{actionOf(type, familyName)}</strong> by{' '}
        {payload?.principal.subject ?? 'erased'}
        {keyId === null && <span className={ui.soft}> (the service itself)</span>}
      </p>
      <p className={ui.note}>
        <Time at={at} show="both" withMs />
      </p>
      {changed.length > 0 && <ChangedValues changes={changed} />}
      {changes !== null && changes.omitted.length > 0 && (
        <p className={ui.note}>
          <code>{changes.omitted.join(', ')}</code> changed; the values are too large for the event
        </p>
      )}
      <p className={ui.note}>
        Event{' '}
        <Link to="/events/$id" params={{ id }} search={{ object_id: resourceId }}>
          <code>{id}</code>
        </Link>
        {keyId !== null && keyFamily && (
          <>
            {' · key '}
            <ResourceLink family={keyFamily} id={keyId} />
          </>
        )}
      </p>
    </>
  );
}
