import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { subscriptionsToQuery } from '../../api/subscriptions.js';
import { useMay } from '../../app/session-context.js';
import { EmptyState } from '../../components/empty-state.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { TypeList } from '../../components/type-list.js';
import { ChooseEvents } from './no-events.js';
import styles from './destination.module.css';

/** The subscriptions that send events to a destination, with their types and filters. */
export function Subscriptions({ destinationId }: { readonly destinationId: string }) {
  const mayChange = useMay('change');
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
              {mayChange && (
                <Link
                  to="/destinations/$id/subscriptions/$subscriptionId"
                  params={{ id: destinationId, subscriptionId: id }}
                >
                  Change the subscription
                </Link>
              )}
            </p>
            {sources.length === 0 && <p className={styles.soft}>It has no event type, so it sends nothing.</p>}
            <TypeList sources={sources} />
          </li>
        ))}
      </ul>
    </section>
  );
}
