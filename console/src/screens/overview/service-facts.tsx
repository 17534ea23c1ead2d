import { useQuery } from '@tanstack/react-query';
import { serviceQuery } from '../../api/service.js';
import { Icon } from '../../components/icon.js';
import styles from './overview.module.css';

const backends = { redis: 'Redis', postgres: 'Postgres' } as const;

/** What runs here: the workers that are alive, the queue backend, the release. */
export function ServiceFacts() {
  const { data, error } = useQuery(serviceQuery);
  if (!data) return <p>{error ? 'The state of the workers is not available.' : 'Reading the state of the workers.'}</p>;
  const alive = data.workers.filter((worker) => worker.alive).length;
  const dead = data.workers.length - alive;
  return (
    <>
      {alive === 0 && (
        <p className={styles.alarm} role="alert">
          <Icon name="misconfigured" /> No worker is alive: events wait. Start a process with <code>ROLES=worker</code>.
        </p>
      )}
      <p>
        {alive} {alive === 1 ? 'worker is' : 'workers are'} alive
        {dead > 0 && `, ${dead} not`} · queues in {backends[data.queue_backend]} · Waybill {data.version}
      </p>
    </>
  );
}
