import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { nameOrId } from '../../api/resource-label.js';
import { sendNothing, subscriptionsToQuery } from '../../api/subscriptions.js';
import { useMay } from '../../app/session-context.js';
import { Button } from '../../components/button.js';
import ui from '../../components/ui.module.css';

/** A line for a destination that receives no events; nothing for any other. */
export function NoEvents({ destinationId }: { readonly destinationId: string }) {
  const { data } = useQuery(subscriptionsToQuery(destinationId));
  const mayChange = useMay('change');
  if (!data || !sendNothing(data)) return null;
  return (
    <div className={ui.line} role="status">
      <span className={ui.strong}>It receives no events: {reasonOf(data.length)}</span>
      {data.length === 0 && <ChooseEvents destinationId={destinationId} />}
      {mayChange &&
        data.map(({ id, description }) => (
          <Link
            key={id}
            to="/destinations/$id/subscriptions/$subscriptionId"
            params={{ id: destinationId, subscriptionId: id }}
          >
            {`Change ${data.length === 1 ? 'the subscription' : nameOrId(description, id)}`}
          </Link>
        ))}
    </div>
  );
}

/** Returns why subscriptions send nothing. @param count how many there are */
function reasonOf(count: number): string {
  if (count === 0) return 'no subscription names it.';
  return count === 1 ? 'its subscription has no event type.' : `none of its ${count} subscriptions has an event type.`;
}

/** Leads to the steps that choose the events of a destination. */
export function ChooseEvents({ destinationId }: { readonly destinationId: string }) {
  const mayChange = useMay('change');
  const navigate = useNavigate();
  if (!mayChange) {
    return <span className={ui.soft}>A person whose key has the role admin can choose its events.</span>;
  }
  return (
    <Button
      look="main"
      onPress={() => void navigate({ to: '/destinations/new', search: { id: destinationId }, hash: 'step-types' })}
    >
      Choose events
    </Button>
  );
}
