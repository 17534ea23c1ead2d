import { Button } from '../../components/button.js';
import { Progress } from '../../components/progress.js';
import { Time } from '../../components/time.js';
import type { EventList } from './use-event-list.js';
import styles from './events.module.css';

/** How many events are shown, how far the search has come, and what the list misses. */
export function ListStatus({ list }: { readonly list: EventList }) {
  const { rows, hasMore, isReading, isSearching, isStopped, reached, completeSince, stop, resume } = list;
  const count = rows?.length ?? 0;
  const events = `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`;
  return (
    <div className={styles.status}>
      <p role="status">{hasMore ? `${events} read, more to search` : `${events}, all that match`}</p>
      {(isReading || isSearching) && <Progress label={isSearching ? 'Searching' : 'Reading more events'} />}
      {hasMore && reached !== null && (
        <p>
          Searched up to <Time at={reached} show="absolute" />
        </p>
      )}
      {isSearching && (
        <Button look="quiet" onPress={stop}>
          Stop the search
        </Button>
      )}
      {isStopped && <Button onPress={resume}>Search on</Button>}
      {completeSince !== undefined && (
        <p>
          Complete since <Time at={completeSince} show="absolute" />. Earlier events were removed after their retention,
          or are not indexed yet.
        </p>
      )}
    </div>
  );
}
