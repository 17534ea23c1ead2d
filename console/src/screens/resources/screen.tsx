import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { capitalized, families, familyNamed, type Family } from '../../api/families.js';
import { anyOfQuery } from '../../api/resources.js';
import { CodeText } from '../../components/code-text.js';
import { PageHeader } from '../../components/page-header.js';
import { OpenById } from './open-by-id.js';
import styles from './resources.module.css';

/** Every family of resources, what it is for, and whether the account has any. */
function Resources() {
  return (
    <>
      <PageHeader title="Resources">
        <p>
          What the account has, read only. To change a resource, use the <a href="/docs">API</a>.
        </p>
      </PageHeader>
      <div className={styles.parts}>
        <OpenById />
        <ul className={styles.families}>
          {families.map((family) => (
            <li key={family.name} className={styles.family}>
              <div className={styles.title}>
                <Link to="/resources/$family" params={{ family: family.name }}>
                  {capitalized(family.many)}
                </Link>
                <Presence family={family} />
              </div>
              <p className={styles.summary}>
                <CodeText text={family.summary} />
              </p>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** Whether the account has a resource of the family. */
function Presence({ family }: { readonly family: Family }) {
  const { data, error } = useQuery({ ...anyOfQuery(family), enabled: isCounted(family) });
  if (family.parent) return <span className={styles.soft}>parts of {familyNamed(family.parent.family)?.many}</span>;
  if (!family.isListed) return <span className={styles.soft}>found by references</span>;
  if (error) return <span className={styles.soft}>not known</span>;
  if (data === undefined) return null;
  return data ? <span className={styles.some}>in use</span> : <span className={styles.soft}>none</span>;
}

/** Whether one request shows if there are any. */
function isCounted({ isListed, parent }: Family): boolean {
  return isListed && parent === null;
}

export const screen = createLazyRoute('/signed-in/resources')({ component: Resources });
