import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { familyOfId } from '../../api/families.js';
import { historyQuery, type ResourceAddress } from '../../api/resources.js';
import { Card } from '../../components/card.js';
import { ChangedValues } from '../../components/changed-values.js';
import { MoreButton } from '../../components/more-button.js';
import { QueryState } from '../../components/query-state.js';
import { ResourceLink } from '../../components/resource-link.js';
import { Time } from '../../components/time.js';
import { entryOf, type HistoryEntry } from './history-entry.js';
import ui from '../../components/ui.module.css';
import styles from './resource.module.css';

/** The events of a resource as a timeline, newest first: who did what, and when. */
export function History({ address }: { readonly address: ResourceAddress }) {
  const { family } = address;
  const query = useInfiniteQuery({ ...historyQuery(address), enabled: family.hasHistory });
  const { data } = query;
  const entries = data?.pages.flatMap(({ items }) => items.map((event) => entryOf(event, family.name)));
  return (
    <Card title="History">
      {!family.hasHistory && <p className={ui.soft}>The resources of this family never change, and have no events.</p>}
      {family.hasHistory && <QueryState query={query} what="history" />}
      {entries?.length === 0 && (
        <p className={ui.soft}>No event of it is left. Events are removed after their retention.</p>
      )}
      {entries && entries.length > 0 && (
        <ol className={`${ui.parts} ${styles.timeline}`}>
          {entries.map((entry) => (
            <li key={entry.id} className={`${ui.items} ${styles.entry}`}>
              <Entry entry={entry} resourceId={address.id} />
            </li>
          ))}
        </ol>
      )}
      <MoreButton query={query}>Earlier events</MoreButton>
    </Card>
  );
}

interface EntryProps {
  readonly entry: HistoryEntry;
  /** The events before and after this one are those of the resource. */
  readonly resourceId: string;
  /** What the event is about, where it is another resource. */
  readonly about?: ReactNode;
}

/** An event of a resource: who did what, when, and what changed. */
export function Entry({ about, entry: { at, action, subject, keyId, changes, omitted, id }, resourceId }: EntryProps) {
  const keyFamily = keyId === null ? undefined : familyOfId(keyId);
  return (
    <>
      <p>
        {about}
        <strong className={styles.action}>{action}</strong> by {subject}
        {keyId === null && <span className={ui.soft}> (the service itself)</span>}
      </p>
      <p className={ui.note}>
        <Time at={at} show="both" withMs />
      </p>
      {changes.length > 0 && <ChangedValues changes={changes} />}
      {omitted.length > 0 && (
        <p className={ui.note}>
          <code>{omitted.join(', ')}</code> changed; the values are too large for the event
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
