import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { curlOf } from '../../api/curl.js';
import { capitalized, familyNamed, listPath, type Family } from '../../api/families.js';
import { isNotFound } from '../../api/problem.js';
import { labelOf } from '../../api/resource-label.js';
import { parentQuery, resourceQuery, type ResourceAddress } from '../../api/resources.js';
import { NotFoundPage } from '../../app/not-found-page.js';
import { Card } from '../../components/card.js';
import { CopyButton } from '../../components/copy-button.js';
import { EmptyState } from '../../components/empty-state.js';
import { JsonView } from '../../components/json-view.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { QueryState } from '../../components/query-state.js';
import { Deleted } from './deleted.js';
import { Fields } from './fields.js';
import { History } from './history.js';
import { Incoming, Outgoing } from './references-view.js';
import { ReferringEvents } from './referring-events.js';
import ui from '../../components/ui.module.css';
import styles from './resource.module.css';

/** One resource: its fields, references both ways, and its history. */
function ResourcePage() {
  const { family: name, id } = screen.useParams();
  const { parent } = screen.useSearch();
  const family = familyNamed(name);
  if (!family) return <NotFoundPage />;
  return (
    <>
      <nav aria-label="Resources" className={ui.trail}>
        <Link to="/resources">Resources</Link>
        <Link to="/resources/$family" params={{ family: name }} search={{ parent }}>
          {capitalized(family.many)}
        </Link>
      </nav>
      {family.parent && parent === undefined ? (
        <FoundByEvents key={id} family={family} id={id} />
      ) : (
        <Shown key={id} family={family} id={id} parent={parent} />
      )}
    </>
  );
}

/** A resource whose parent is not in the address. */
function FoundByEvents({ family, id }: { readonly family: Family; readonly id: string }) {
  const { data: parent, error, refetch } = useQuery(parentQuery(family, id));
  const parentFamily = familyNamed(family.parent?.family ?? '');
  if (error)
    return <ProblemPanel error={error} title="The resource could not be found" onRetry={() => void refetch()} />;
  if (parent === undefined) return <Progress label={`Looking for the ${family.one}`} />;
  if (parent !== null) return <Shown family={family} id={id} parent={parent} />;
  return (
    <>
      <PageHeader title={id} />
      <EmptyState
        title={`No event says where this ${family.one} is`}
        actions={
          parentFamily && (
            <Link to="/resources/$family" params={{ family: parentFamily.name }}>
              {capitalized(parentFamily.many)}
            </Link>
          )
        }
      >
        <p>
          A {family.one} is part of an {parentFamily?.one}. The account has none with this id, or its events were
          removed after their retention. The page of the {parentFamily?.one} refers to it.
        </p>
      </EmptyState>
    </>
  );
}

function Shown({ family, id, parent }: ResourceAddress) {
  const address = { family, id, parent };
  const query = useQuery(resourceQuery(address));
  const { data: resource, error } = query;
  if (isNotFound(error)) return <Deleted address={address} />;
  return (
    <>
      <PageHeader
        title={resource ? labelOf(resource) : id}
        actions={resource && <CopyButton text={curlOf(absolute(address))} label="Copy as curl" withLabel />}
      >
        <p className={ui.line}>
          {capitalized(family.one)} <code>{id}</code>
          <CopyButton text={id} label="Copy the id" />
          {family.name === 'event_destination' && (
            <Link to="/destinations/$id" params={{ id }}>
              Deliveries and settings
            </Link>
          )}
        </p>
      </PageHeader>
      <QueryState query={query} what={family.one} />
      {resource && (
        <div className={styles.columns}>
          <div className={styles.parts}>
            <Card title="Fields">
              <Fields family={family} resource={resource} />
            </Card>
            <section className={`${ui.card} ${ui.stack} ${styles.last}`} aria-labelledby="json">
              <h2 id="json">JSON</h2>
              <p className={ui.soft}>As a GET returns it. Secrets are null: no request reads them.</p>
              <JsonView value={resource} label={`JSON of the ${family.one}`} />
            </section>
          </div>
          <div className={styles.parts}>
            <Outgoing family={family} resource={resource} />
            <Incoming address={address} />
            <History address={address} />
            <ReferringEvents address={address} />
          </div>
        </div>
      )}
    </>
  );
}

/** Returns the address by which this browser reaches the resource: a `uri` may be relative or have another host. */
function absolute({ family, id, parent }: ResourceAddress): string {
  return `${window.location.origin}${listPath(family, parent)}/${encodeURIComponent(id)}`;
}

export const screen = createLazyRoute('/signed-in/resources/$family/$id')({ component: ResourcePage });
