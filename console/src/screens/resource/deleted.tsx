import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isNotFound } from '../../api/problem.js';
import { isObject } from '../../api/references.js';
import { historyQuery, type ResourceAddress } from '../../api/resources.js';
import { Card } from '../../components/card.js';
import { CopyButton } from '../../components/copy-button.js';
import { EmptyState } from '../../components/empty-state.js';
import { JsonView } from '../../components/json-view.js';
import { PageHeader } from '../../components/page-header.js';
import { QueryState } from '../../components/query-state.js';
import { Time } from '../../components/time.js';
import { lastState } from './history-entry.js';
import { History } from './history.js';
import { Outgoing } from './references-view.js';
import { ReferringEvents } from './referring-events.js';
import ui from '../../components/ui.module.css';
import styles from './resource.module.css';

/** A resource that a GET does not find: its last state and its history, where events of it remain. */
export function Deleted({ address }: { readonly address: ResourceAddress }) {
  const { family, id } = address;
  const query = useInfiniteQuery({ ...historyQuery(address), enabled: family.hasHistory });
  const { data, error } = query;
  const [newest] = data?.pages[0]?.items ?? [];
  const last = newest && lastState(newest);
  const isUnknown = !family.hasHistory || isNotFound(error);
  return (
    <>
      <PageHeader title={newest ? `Deleted ${family.one}` : id}>
        <p className={ui.line}>
          <code>{id}</code>
          <CopyButton text={id} label="Copy the id" />
        </p>
      </PageHeader>
      {isUnknown && (
        <EmptyState
          title={`No such ${family.one}`}
          actions={
            <Link to="/resources/$family" params={{ family: family.name }}>
              All {family.many}
            </Link>
          }
        >
          The account has none with this id and no event of one. It may belong to another account, or your key may not
          see it.
        </EmptyState>
      )}
      {!isUnknown && <QueryState query={query} what="history" />}
      {data && (
        <div className={styles.columns}>
          <div className={styles.parts}>
            <Card title="Last known state">
              {newest ? (
                <>
                  <p className={ui.soft}>
                    The {family.one} does not exist any more. This is how the event of <Time at={newest.created_at} />{' '}
                    has it.
                  </p>
                  <JsonView value={last} label="JSON of the last known state" />
                </>
              ) : (
                <p className={ui.soft}>Its events were removed after their retention.</p>
              )}
            </Card>
          </div>
          <div className={styles.parts}>
            {isObject(last) && <Outgoing family={family} resource={{ ...last, id, uri: '' }} />}
            <History address={address} />
            <ReferringEvents address={address} />
          </div>
        </div>
      )}
    </>
  );
}
