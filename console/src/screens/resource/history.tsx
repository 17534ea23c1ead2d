import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { familyOfId } from '../../api/families.js';
import { historyQuery, type ResourceAddress } from '../../api/resources.js';
import { ChangedValues } from '../../components/changed-values.js';
import { MoreButton } from '../../components/more-button.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { ResourceLink } from '../../components/resource-link.js';
import { Time } from '../../components/time.js';
import { entryOf, type HistoryEntry } from './history-entry.js';
import styles from './resource.module.css';

/** The events of a resource as a timeline, newest first: who did what, and when. */
export function History({ address }: { readonly address: ResourceAddress }) {
  const { family } = address;
  const query = useInfiniteQuery({ ...historyQuery(address), enabled: family.hasHistory });
  const { data, error, refetch } = query;
  const entries = data?.pages.flatMap(({ items }) => items.map((event) => entryOf(event, family.name)));
  return (
    <section className={styles.part} aria-labelledby="history">
      <h2 id="history">History</h2>
      {!family.hasHistory && (
        <p className={styles.soft}>The resources of this family never change, and have no events.</p>
      )}
      {error && <ProblemPanel error={error} title="The history could not be read" onRetry={() => void refetch()} />}
      {family.hasHistory && !entries && !error && <Progress label="Reading the history" />}
      {entries?.length === 0 && (
        <p className={styles.soft}>No event of it is left. Events are removed after their retention.</p>
      )}
      {entries && entries.length > 0 && (
        <ol className={styles.timeline}>
          {entries.map((entry) => (
            <li key={entry.id} className={styles.entry}>
              <Entry entry={entry} resourceId={address.id} />
            </li>
          ))}
        </ol>
      )}
      <MoreButton query={query}>Earlier events</MoreButton>
    </section>
  );
}

/** Properties of `Entry`. */
export interface EntryProps {
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
        {keyId === null && <span className={styles.soft}> (the service itself)</span>}
      </p>
      <p className={styles.when}>
        <Time at={at} show="both" withMs />
      </p>
      {changes.length > 0 && <ChangedValues changes={changes} />}
      {omitted.length > 0 && (
        <p className={styles.when}>
          <code>{omitted.join(', ')}</code> changed; the values are too large for the event
        </p>
      )}
      <p className={styles.when}>
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
