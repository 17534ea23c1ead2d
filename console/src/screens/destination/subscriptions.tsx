import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { subscriptionsToQuery } from '../../api/subscriptions.js';
import { useMay } from '../../app/session-context.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { TypeList } from '../../components/event-types/type-list.js';
import { QueryState } from '../../components/query-state.js';
import { ChooseEvents } from './no-events.js';
import ui from '../../components/ui.module.css';

/** The subscriptions that send events to a destination, with their types and filters. */
export function Subscriptions({ destinationId }: { readonly destinationId: string }) {
  const mayChange = useMay('change');
  const query = useQuery(subscriptionsToQuery(destinationId));
  const { data, error } = query;
  if (error || !data) return <QueryState query={query} what="subscriptions" />;
  if (data.length === 0) {
    return (
      <EmptyState title="It receives no events" actions={<ChooseEvents destinationId={destinationId} />}>
        No subscription names the destination. A subscription says which events it receives.
      </EmptyState>
    );
  }
  return (
    <Card title="Events that it receives">
      <ul className={ui.stack}>
        {data.map(({ id, description, sources }) => (
          <li key={id} className={ui.items}>
            <p className={ui.line}>
              <span className={ui.strong}>{description ?? 'Subscription'}</span> <code>{id}</code>
              {mayChange && (
                <Link
                  to="/destinations/$id/subscriptions/$subscriptionId"
                  params={{ id: destinationId, subscriptionId: id }}
                >
                  Change the subscription
                </Link>
              )}
            </p>
            {sources.length === 0 && <p className={ui.soft}>It has no event type, so it sends nothing.</p>}
            <TypeList sources={sources} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
