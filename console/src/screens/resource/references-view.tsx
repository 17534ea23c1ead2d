import { useInfiniteQuery } from '@tanstack/react-query';
import type { Family } from '../../api/families.js';
import { referencesIn, type Reference } from '../../api/references.js';
import { referencesQuery, type Resource, type ResourceAddress } from '../../api/resources.js';
import { Card } from '../../components/card.js';
import { MoreButton } from '../../components/more-button.js';
import { QueryState } from '../../components/query-state.js';
import { ResourceLink } from '../../components/resource-link.js';
import ui from '../../components/ui.module.css';

/** The resources that a resource refers to. */
export function Outgoing({ family, resource }: { readonly family: Family; readonly resource: Resource }) {
  const references = referencesIn(resource);
  return (
    <Card title="Refers to">
      {references.length === 0 ? (
        <p className={ui.soft}>This {family.one} refers to no other resource.</p>
      ) : (
        <References references={references} />
      )}
    </Card>
  );
}

/** The resources that refer to a resource. */
export function Incoming({ address }: { readonly address: ResourceAddress }) {
  const query = useInfiniteQuery(referencesQuery(address));
  const { data } = query;
  const references = data?.pages.flatMap(({ items }) => items);
  return (
    <Card title="Referred to by">
      <QueryState query={query} what="references" />
      {references?.length === 0 && <p className={ui.soft}>No other resource refers to this {address.family.one}.</p>}
      {references && references.length > 0 && <References references={references} />}
      <MoreButton query={query}>More references</MoreButton>
    </Card>
  );
}

function References({ references }: { readonly references: readonly Reference[] }) {
  return (
    <ul>
      {references.map(({ id, family, parent, fields }) => (
        <li key={id}>
          <span>{family.one}</span> <ResourceLink family={family} id={id} parent={parent} />{' '}
          <span className={ui.soft}>
            in <code>{fields.join(', ')}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}
