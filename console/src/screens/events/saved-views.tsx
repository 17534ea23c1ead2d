import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { readEventSearch, type EventSearch } from '../../app/event-search.js';
import { parseSearch, stringifySearch } from '../../app/search-params.js';
import { useSession } from '../../app/session-context.js';
import { Button, IconButton } from '../../components/button.js';
import { deleteView, LONGEST_NAME, MOST_VIEWS, saveView, useSavedViews } from '../../preferences/saved-views.js';
import ui from '../../components/ui.module.css';
import styles from './events.module.css';

/** The searches that this browser keeps, and a form that adds the one that is shown. */
export function SavedViews({ search }: { readonly search: EventSearch }) {
  const { account_id: account } = useSession();
  const views = useSavedViews(account);
  const [isNaming, setNaming] = useState(false);
  const [isFull, setFull] = useState(false);
  const shown = stringifySearch({ ...search });

  function save(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get('name');
    if (typeof name !== 'string' || name.trim() === '') return;
    const isSaved = saveView(account, { name: name.trim(), search: shown });
    setFull(!isSaved);
    if (isSaved) setNaming(false);
  }

  return (
    <div role="group" aria-label="Saved views" className={ui.line}>
      {views.length > 0 && (
        <ul className={ui.line}>
          {views.map((view) => (
            <li key={view.name} className={`${ui.card} ${ui.line} ${styles.view}`}>
              <Link
                to="/events"
                search={readEventSearch(parseSearch(view.search))}
                aria-current={sameSearch(view.search, shown) ? 'true' : undefined}
              >
                {view.name}
              </Link>
              <IconButton
                label={`Delete the view ${view.name}`}
                icon="close"
                onPress={() => deleteView(account, view.name)}
              />
            </li>
          ))}
        </ul>
      )}
      {isNaming ? (
        <form className={ui.line} onSubmit={save}>
          <label className={`${ui.note} ${styles.choice}`}>
            Name of the view
            {/* The person has just asked for the field. */}
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
            <input
              className={ui.control}
              name="name"
              type="text"
              required
              maxLength={LONGEST_NAME}
              autoFocus
              autoComplete="off"
            />
          </label>
          <Button type="submit" look="main">
            Save
          </Button>
          <Button
            onPress={() => {
              setFull(false);
              setNaming(false);
            }}
          >
            Cancel
          </Button>
          {isFull && <p role="alert">Not saved: there are {MOST_VIEWS} views. Delete one first.</p>}
        </form>
      ) : (
        <Button onPress={() => setNaming(true)}>Save this view</Button>
      )}
    </div>
  );
}

/** Whether two addresses have the same parameters, in any order. */
function sameSearch(a: string, b: string): boolean {
  return sortedParams(a) === sortedParams(b);
}

function sortedParams(text: string): string {
  const params = new URLSearchParams(text);
  params.sort();
  return params.toString();
}
