import { queryOptions, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { request } from '../../api/request.js';
import { Card } from '../../components/card.js';
import { Fact, Facts } from '../../components/facts.js';
import { PageHeader } from '../../components/page-header.js';
import { QueryState } from '../../components/query-state.js';
import { Time } from '../../components/time.js';
import ui from '../../components/ui.module.css';

/** What is kept, with the moment from which its time runs. */
const kinds = [
  ['events', 'Events', 'since it was recorded'],
  ['deliveries', 'Deliveries', 'since it finished'],
  ['attempts', 'Attempts', 'since it was made'],
  ['exports', 'Files of exports', 'since it was complete'],
  ['metrics', 'Metrics of destinations', 'since what it counts'],
] as const;

const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => request('GET', '/retention', { signal }),
});

/** How long each kind of item is kept, and since when the account has all of them. */
function Retention() {
  const query = useQuery(retentionQuery);
  const { data } = query;
  return (
    <>
      <PageHeader title="Retention">
        <p>
          What Waybill keeps for this account, and since when it is complete. What waits is kept until it has finished.
        </p>
      </PageHeader>
      <QueryState query={query} what="retention" />
      {data && (
        <div className={ui.columns}>
          {kinds.map(([kind, title, begin]) => {
            const { kept_days: days, complete_since: since } = data[kind];
            return (
              <Card key={kind} title={title}>
                <Facts wide>
                  <Fact name="Each is kept">
                    at least {days.toLocaleString('en')} {days === 1 ? 'day' : 'days'} {begin}
                  </Fact>
                  <Fact name="Complete since">
                    {since === null ? 'the beginning: none was removed' : <Time at={since} show="absolute" />}
                  </Fact>
                </Facts>
              </Card>
            );
          })}
        </div>
      )}
    </>
  );
}

export const screen = createLazyRoute('/signed-in/retention')({ component: Retention });
