import { createLazyRoute, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { capitalized, familyNamed, type Family } from '../../api/families.js';
import { parentIn } from '../../api/references.js';
import { NotFoundPage } from '../../app/not-found-page.js';
import { Button } from '../../components/button.js';
import { CodeText } from '../../components/code-text.js';
import { DataTable } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { ResourceLink } from '../../components/resource-link.js';
import { FilterField } from '../../components/search-input.js';
import { resourceColumns } from './resource-columns.js';
import { useFilteredList, type FilteredList } from './use-filtered-list.js';
import ui from '../../components/ui.module.css';

/** The resources of a family, newest first. */
function FamilyPage() {
  const { family: name } = screen.useParams();
  const { parent } = screen.useSearch();
  const family = familyNamed(name);
  if (!family) return <NotFoundPage />;
  return (
    <>
      <nav aria-label="Resources" className={ui.trail}>
        <Link to="/resources">Resources</Link>
      </nav>
      <PageHeader title={capitalized(family.many)}>
        <p>
          <CodeText text={family.summary} />
        </p>
      </PageHeader>
      <List key={`${name} ${parent ?? ''}`} family={family} parent={parent} />
    </>
  );
}

interface ListProps {
  readonly family: Family;
  readonly parent: string | undefined;
}

function List({ family, parent }: ListProps) {
  if (!family.isListed) return <NotListed family={family} />;
  if (family.parent && parent === undefined) return <Parents family={family} parentFamily={family.parent.family} />;
  return <Items family={family} parent={parent} />;
}

function Items({ family, parent }: ListProps) {
  const { q } = screen.useSearch();
  const navigate = screen.useNavigate();
  const parentFamily = family.parent ? familyNamed(family.parent.family) : undefined;
  const list = useFilteredList(family, parent, q);
  const { shown, read, error } = list;
  const [sample] = shown;
  const columns = useMemo(() => resourceColumns(family, sample), [family, sample]);
  if (error && read === 0) {
    return <ProblemPanel error={error} title="The list could not be read" onRetry={list.readAgain} />;
  }
  if (!list.isRead) return <Progress label={`Reading the ${family.many}`} />;
  return (
    <div className={ui.stack}>
      {parentFamily && parent !== undefined && (
        <p>
          Parts of the {parentFamily.one} <ResourceLink family={parentFamily} id={parent} />
        </p>
      )}
      {read === 0 ? (
        <None family={family} />
      ) : (
        <>
          <FilterField
            label={`Filter the ${family.many}`}
            placeholder="Name, id or metadata"
            value={q}
            onChange={(next) =>
              void navigate({ search: (before) => ({ ...before, q: next }), replace: true, resetScroll: false })
            }
          />
          {shown.length > 0 && (
            <DataTable
              label={family.many}
              rows={shown}
              columns={columns}
              onOpen={({ id, uri }) => {
                void navigate({
                  to: '/resources/$family/$id',
                  params: { family: family.name, id },
                  search: { parent: parentIn(uri, family) },
                });
              }}
              onEndReached={list.readOn}
            />
          )}
          {error && <ProblemPanel error={error} title="The list could not be read on" onRetry={list.readMore} />}
          <ListStatus list={list} isFiltered={q !== undefined} />
        </>
      )}
    </div>
  );
}

/** How many resources are shown, and how many were looked at. */
function ListStatus({ list, isFiltered }: { readonly list: FilteredList; readonly isFiltered: boolean }) {
  const { shown, read, hasMore, isReading, isStopped } = list;
  const more = hasMore ? '; scroll for more' : '';
  const looked = `${shown.length.toLocaleString('en')} of ${read.toLocaleString('en')} that were read match`;
  return (
    <div className={ui.line}>
      <p role="status" className={ui.soft}>
        {isFiltered
          ? `${looked}, ${hasMore ? 'there are more to read' : 'all were read'}`
          : isReading
            ? 'Reading more'
            : `${read.toLocaleString('en')} shown, newest first${more}`}
      </p>
      {isFiltered && isReading && <Progress label="Reading the list" />}
      {isFiltered && isStopped && <Button onPress={list.readMore}>Read more</Button>}
    </div>
  );
}

function None({ family }: { readonly family: Family }) {
  return (
    <EmptyState title={`No ${family.one} yet`} actions={<Link to="/resources">All families</Link>}>
      {family.isCreated ? (
        <p>
          Create one with <code>POST {family.path}</code>. It appears here when the page is read again.
        </p>
      ) : (
        <p>The service itself makes {family.many}. No request creates one.</p>
      )}
    </EmptyState>
  );
}

/** A family that only single reads show. */
function NotListed({ family }: { readonly family: Family }) {
  return (
    <EmptyState
      title={`The API has no list of ${family.many}`}
      actions={
        <Link to="/resources/$family" params={{ family: 'api_key' }}>
          API keys
        </Link>
      }
    >
      <p>
        Resources that belong to one refer to it: an API key to its owner. Follow such a reference, or open one by its
        id.
      </p>
    </EmptyState>
  );
}

/** A family whose resources are parts of others: the others are listed first. */
function Parents({ family, parentFamily: name }: { readonly family: Family; readonly parentFamily: string }) {
  const parentFamily = familyNamed(name);
  if (!parentFamily) return <NotFoundPage />;
  return (
    <EmptyState
      title={`Choose the ${parentFamily.one} first`}
      actions={
        <Link to="/resources/$family" params={{ family: name }}>
          {capitalized(parentFamily.many)}
        </Link>
      }
    >
      <p>
        {capitalized(family.many)} are parts of {parentFamily.many}. The page of each {parentFamily.one} lists its own,
        below “Referred to by”.
      </p>
    </EmptyState>
  );
}

export const screen = createLazyRoute('/signed-in/resources/$family')({ component: FamilyPage });
