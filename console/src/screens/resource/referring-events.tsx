import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventTypesQuery } from '../../api/event-types.js';
import { capitalized, familyOfId, type Family } from '../../api/families.js';
import { LOOKED_AT, referringEventsQuery, type ResourceAddress } from '../../api/resources.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { MoreButton } from '../../components/more-button.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { ResourceLink } from '../../components/resource-link.js';
import { Entry } from './history.js';
import { referringFamilies, typesOf } from './referring-types.js';
import ui from '../../components/ui.module.css';
import styles from './resource.module.css';

/** The events of the resources that refer to one, also of those that were deleted: looked for when a person asks. */
export function ReferringEvents({ address }: { readonly address: ResourceAddress }) {
  const [isWanted, setWanted] = useState(false);
  const { data: types, error, refetch } = useQuery(eventTypesQuery);
  const { family, id } = address;
  const found = referringFamilies(family);
  const { searched, left } = typesOf(found, types ?? []);
  if (found.length === 0) return null;
  return (
    <Card title="Events of what refers to it">
      <p className={ui.soft}>
        The history above has only the events of this {family.one} itself. {capitalized(listText(found))} can refer to
        it: they have events of their own, also when they were deleted.
      </p>
      {error && <ProblemPanel error={error} title="The event types could not be read" onRetry={() => void refetch()} />}
      {left.length > 0 && (
        <p className={ui.soft}>
          One search takes {searched.length} types of events. These are not looked at: {left.join(', ')}.
        </p>
      )}
      {searched.length > 0 && !isWanted && <Button onPress={() => setWanted(true)}>Look for these events</Button>}
      {searched.length > 0 && isWanted && <Found id={id} types={searched} families={found} />}
    </Card>
  );
}

interface FoundProps {
  readonly id: string;
  readonly types: readonly string[];
  readonly families: readonly Family[];
}

function Found({ id, types, families }: FoundProps) {
  const query = useInfiniteQuery(referringEventsQuery(id, types));
  const { data, error, refetch, hasNextPage, isFetching } = query;
  const events = data?.pages.flatMap(({ items }) => items) ?? [];
  const looked = data?.pages.reduce((sum, page) => sum + page.looked, 0) ?? 0;
  return (
    <>
      {error && <ProblemPanel error={error} title="The events could not be read" onRetry={() => void refetch()} />}
      {events.length > 0 && (
        <ol className={`${ui.parts} ${styles.timeline}`}>
          {events.map((event) => {
            const family = familyOfId(event.resource_id);
            return (
              <li key={event.id} className={`${ui.items} ${styles.entry}`}>
                <Entry
                  event={event}
                  familyName={family?.name ?? ''}
                  about={
                    family && (
                      <>
                        {capitalized(family.one)} <ResourceLink family={family} id={event.resource_id} />{' '}
                      </>
                    )
                  }
                />
              </li>
            );
          })}
        </ol>
      )}
      {isFetching && <Progress label="Looking at the events" />}
      {data && (
        <p role="status" className={ui.soft}>
          {events.length.toLocaleString('en')} found. {hasNextPage ? 'The newest' : 'All'} {looked.toLocaleString('en')}{' '}
          events of {listText(families)} that are kept were looked at.
        </p>
      )}
      <MoreButton query={query}>{`Look at ${LOOKED_AT.toLocaleString('en')} earlier events`}</MoreButton>
    </>
  );
}

function listText(families: readonly Family[]): string {
  return families.map(({ many }) => many).join(', ');
}
