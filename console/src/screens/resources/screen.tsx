import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { capitalized, families, familyNamed, familyOfId, type Family } from '../../api/families.js';
import { anyOfQuery } from '../../api/resources.js';
import { Button } from '../../components/button.js';
import { CodeText } from '../../components/code-text.js';
import { PageHeader } from '../../components/page-header.js';
import { SearchInput } from '../../components/search-input.js';
import ui from '../../components/ui.module.css';
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
      <div className={ui.parts}>
        <OpenById />
        <ul className={`${ui.columns} ${styles.families}`}>
          {families.map((family) => (
            <li key={family.name} className={`${ui.card} ${ui.items} ${styles.family}`}>
              <div className={`${ui.line} ${ui.between} ${styles.title}`}>
                <Link to="/resources/$family" params={{ family: family.name }} className={ui.strong}>
                  {capitalized(family.many)}
                </Link>
                <Presence family={family} />
              </div>
              <p className={ui.note}>
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
  if (family.parent) return <span className={ui.note}>parts of {familyNamed(family.parent.family)?.many}</span>;
  if (!family.isListed) return <span className={ui.note}>found by references</span>;
  if (error) return <span className={ui.note}>not known</span>;
  if (data === undefined) return null;
  return data ? (
    <span className={`${ui.note} ${ui.strong} ${ui.toned}`} data-tone="good">
      in use
    </span>
  ) : (
    <span className={ui.note}>none</span>
  );
}

/** Whether one request shows if there are any. */
function isCounted({ isListed, parent }: Family): boolean {
  return isListed && parent === null;
}

/** A field that takes the id of a resource of any family, and opens it. */
function OpenById() {
  const navigate = useNavigate();
  const [id, setId] = useState('');
  const [isUnknown, setUnknown] = useState(false);

  function open(): void {
    const text = id.trim();
    const family = familyOfId(text);
    setUnknown(!family);
    if (family) void navigate({ to: '/resources/$family/$id', params: { family: family.name, id: text } });
  }

  return (
    <form
      className={ui.line}
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <SearchInput
        label="Id of a resource"
        placeholder="Id of any resource"
        isCode
        type="text"
        aria-invalid={isUnknown}
        aria-describedby="open-by-id-result"
        autoComplete="off"
        spellCheck={false}
        value={id}
        onChange={({ target }) => {
          setId(target.value);
          setUnknown(false);
        }}
      />
      <Button type="submit">Open</Button>
      <p id="open-by-id-result" role="status" className={ui.bad}>
        {isUnknown &&
          'This is not the id of a resource: an id begins with the letters of its family, such as ipp_ or ed_.'}
      </p>
    </form>
  );
}

export const screen = createLazyRoute('/signed-in/resources')({ component: Resources });
