import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { undeliveredStates, type UndeliveredState } from '../../api/undelivered.js';
import { BoundedCount } from '../../components/bounded-count.js';
import { stateWord } from '../../components/state-badge.js';
import { countDeliveries } from './delivery-count.js';

/** Time between counts, in milliseconds. */
const COUNT_MS = 60_000;

/** How many deliveries of a destination were rejected and how many have expired, each up to a page. */
export function EndedFacts({ id }: { readonly id: string }) {
  return undeliveredStates.map((state) => <EndedFact key={state} id={id} state={state} />);
}

function EndedFact({ id, state }: { readonly id: string; readonly state: UndeliveredState }) {
  const { data, error } = useQuery({
    queryKey: ['ended-count', id, state],
    queryFn: ({ signal }) => countDeliveries(id, { state }, signal, 1),
    refetchInterval: COUNT_MS,
  });
  return (
    <div>
      <dt>
        <Link to="/destinations/$id" params={{ id }} search={{ tab: 'deliveries', state }} resetScroll={false}>
          {stateWord(state)}
        </Link>
      </dt>
      <dd>
        <BoundedCount count={data} error={error} />
      </dd>
    </div>
  );
}
