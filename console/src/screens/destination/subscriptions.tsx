import { useQuery } from '@tanstack/react-query';
import { subscriptionsToQuery } from '../../api/subscriptions.js';
import { EmptyState } from '../../components/empty-state.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { ChooseEvents } from './no-events.js';
import styles from './destination.module.css';

/** The subscriptions that send events to a destination, with their types and filters. */
export function Subscriptions({ destinationId }: { readonly destinationId: string }) {
  const { data, error, refetch } = useQuery(subscriptionsToQuery(destinationId));
  if (error) {
    return <ProblemPanel error={error} title="The subscriptions could not be read" onRetry={() => void refetch()} />;
  }
  if (!data) return <Progress label="Reading the subscriptions" />;
  if (data.length === 0) {
    return (
      <EmptyState title="It receives no events" actions={<ChooseEvents destinationId={destinationId} />}>
        No subscription names the destination. A subscription says which events it receives.
      </EmptyState>
    );
  }
  return (
    <section className={styles.card} aria-labelledby="subscriptions">
      <h2 id="subscriptions" className={styles.title}>
        Events that it receives
      </h2>
      <ul className={styles.plain}>
        {data.map(({ id, description, sources }) => (
          <li key={id} className={styles.item}>
            <p className={styles.line}>
              <span className={styles.strong}>{description ?? 'Subscription'}</span> <code>{id}</code>
            </p>
            {sources.length === 0 && <p className={styles.soft}>It has no event type, so it sends nothing.</p>}
            <ul>
              {sources.map(({ type, filter, fields }) => (
                <li key={type}>
                  <code>{type}</code>
                  {filter !== undefined && (
                    <>
                      {' where '}
                      <code>{filter}</code>
                    </>
                  )}
                  {fields !== undefined && <span className={styles.soft}> with a choice of fields</span>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
