import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { undeliveredCountQuery } from '../../api/undelivered.js';
import { BoundedCount } from '../../components/bounded-count.js';
import styles from './overview.module.css';

/** How many deliveries were rejected or have expired, to any destination, read again every minute. */
export function NotDelivered() {
  const { data, error } = useQuery(undeliveredCountQuery);
  return (
    <div className={styles.fact} data-tone={data !== undefined && data.value > 0 ? 'bad' : undefined}>
      <dt>
        <Link to="/not-delivered" search={{}}>
          Not delivered
        </Link>
      </dt>
      <dd>
        <BoundedCount count={data} error={error} />
      </dd>
    </div>
  );
}
