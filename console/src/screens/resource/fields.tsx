import { familyOfId, type Family } from '../../api/families.js';
import { idIn, isObject } from '../../api/references.js';
import type { Resource } from '../../api/resources.js';
import { breakable } from '../../components/breakable.js';
import { ResourceLink } from '../../components/resource-link.js';
import { Time } from '../../components/time.js';
import ui from '../../components/ui.module.css';
import styles from './resource.module.css';

/** Texts that are longer, or have lines, are shown as a block that scrolls. */
const LONG_TEXT = 120;

/** The members of a resource, as a GET returns them, with those of nested objects. */
export function Fields({ family, resource }: { readonly family: Family; readonly resource: Resource }) {
  return <Members value={resource} family={family} path="" />;
}

interface MembersProps {
  readonly value: Readonly<Record<string, unknown>>;
  readonly family: Family;
  /** Dotted path of the object; empty for the resource. */
  readonly path: string;
}

function Members({ value, family, path }: MembersProps) {
  return (
    <dl className={styles.fields}>
      {Object.entries(value).map(([name, member]) => (
        <div key={name} className={styles.member} data-nested={isNested(member)}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <Value value={member} family={family} path={path === '' ? name : `${path}.${name}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ValueProps {
  readonly value: unknown;
  readonly family: Family;
  readonly path: string;
}

function Value({ value, family, path }: ValueProps) {
  if (family.secrets.includes(path) && value === null) return <span className={ui.soft}>a secret, never shown</span>;
  if (value === null || value === undefined) {
    return <span className={ui.soft}>{family.modules.includes(path) ? 'not set' : 'none'}</span>;
  }
  const id = path === 'id' ? undefined : idIn(value);
  const target = id === undefined ? undefined : familyOfId(id);
  if (id !== undefined && target) return <ResourceLink family={target} id={id} />;
  if (Array.isArray(value)) return <List items={value} family={family} path={path} />;
  if (isObject(value)) return <Members value={value} family={family} path={path} />;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return <Text text={value} path={path} />;
  return <span className={ui.number}>{JSON.stringify(value)}</span>;
}

function List({
  items,
  family,
  path,
}: {
  readonly items: readonly unknown[];
  readonly family: Family;
  readonly path: string;
}) {
  if (items.length === 0) return <span className={ui.soft}>empty list</span>;
  return (
    <ul>
      {items.map((item, index) => (
        // Items have no other identity than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Value value={item} family={family} path={path} />
        </li>
      ))}
    </ul>
  );
}

function Text({ text, path }: { readonly text: string; readonly path: string }) {
  if (text === '') return <span className={ui.soft}>empty text</span>;
  if (isTime(text)) return <Time at={text} show="both" />;
  if (text.length > LONG_TEXT || text.includes('\n')) {
    return (
      // The area scrolls, so the keyboard must reach it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      <pre className={`${ui.card} ${styles.long}`} role="region" aria-label={path} tabIndex={0}>
        {text}
      </pre>
    );
  }
  return breakable(text, '/');
}

/** Whether a member is shown below its name, over the whole width. */
function isNested(value: unknown): boolean {
  return idIn(value) === undefined && isObject(value) && Object.keys(value).length > 0;
}

/** Whether a text is a time as the API returns it: RFC 3339 in UTC. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
