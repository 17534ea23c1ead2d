import { useInfiniteQuery } from '@tanstack/react-query';
import type { Family } from '../../api/families.js';
import { referencesIn, type Reference } from '../../api/references.js';
import { referencesQuery, type Resource, type ResourceAddress } from '../../api/resources.js';
import { MoreButton } from '../../components/more-button.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { ResourceLink } from '../../components/resource-link.js';
import styles from './resource.module.css';

/** The resources that a resource refers to. */
export function Outgoing({ family, resource }: { readonly family: Family; readonly resource: Resource }) {
  const references = referencesIn(resource);
  return (
    <section className={styles.part} aria-labelledby="outgoing">
      <h2 id="outgoing">Refers to</h2>
      {references.length === 0 ? (
        <p className={styles.soft}>This {family.one} refers to no other resource.</p>
      ) : (
        <References references={references} />
      )}
    </section>
  );
}

/** The resources that refer to a resource. */
export function Incoming({ address }: { readonly address: ResourceAddress }) {
  const query = useInfiniteQuery(referencesQuery(address));
  const { data, error, refetch } = query;
  const references = data?.pages.flatMap(({ items }) => items);
  return (
    <section className={styles.part} aria-labelledby="incoming">
      <h2 id="incoming">Referred to by</h2>
      {error && <ProblemPanel error={error} title="The references could not be read" onRetry={() => void refetch()} />}
      {!references && !error && <Progress label="Reading the references" />}
      {references?.length === 0 && (
        <p className={styles.soft}>No other resource refers to this {address.family.one}.</p>
      )}
      {references && references.length > 0 && <References references={references} />}
      <MoreButton query={query}>More references</MoreButton>
    </section>
  );
}

function References({ references }: { readonly references: readonly Reference[] }) {
  return (
    <ul className={styles.references}>
      {references.map(({ id, family, parent, fields }) => (
        <li key={id}>
          <span>{family.one}</span> <ResourceLink family={family} id={id} parent={parent} />{' '}
          <span className={styles.soft}>
            in <code>{fields.join(', ')}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}
