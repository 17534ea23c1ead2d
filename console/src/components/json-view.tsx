import { familyOfId } from '../api/families.js';
import { CopyButton } from './copy-button.js';
import { ResourceLink } from './resource-link.js';
import styles from './json-view.module.css';
import ui from './ui.module.css';

interface JsonViewProps {
  readonly value: unknown;
  /** What it is: `The event as it was sent`. */
  readonly label: string;
}

/** Strings with the colon of a name, other strings, words and numbers of a JSON text. */
const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Colours of the parts of a JSON text. */
const tones = { name: 'calm', string: 'good', word: 'warn' };

/** A JSON value as text, with colours and a button that copies it. */
export function JsonView({ value, label }: JsonViewProps) {
  const text = JSON.stringify(value, null, 2) ?? 'undefined';
  return (
    <div className={styles.view}>
      <div className={styles.copy}>
        <CopyButton text={text} label={`Copy: ${label}`} />
      </div>
      {/* The area scrolls, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={`${ui.card} ${styles.text}`} role="region" aria-label={label} tabIndex={0}>
        {coloured(text)}
      </pre>
    </div>
  );
}

function coloured(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    const kind = string === undefined ? 'word' : colon === undefined ? 'string' : 'name';
    parts.push(
      <span key={match.index} className={ui.toned} data-tone={tones[kind]}>
        {kind === 'string' ? <Text text={whole} /> : (string ?? whole)}
      </span>,
    );
    if (colon !== undefined) parts.push(colon);
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** A string of a JSON text. The id of a resource leads to it. */
function Text({ text }: { readonly text: string }) {
  const id = text.slice(1, -1);
  const family = familyOfId(id);
  if (!family) return text;
  return (
    <>
      {'"'}
      <ResourceLink family={family} id={id}>
        {id}
      </ResourceLink>
      {'"'}
    </>
  );
}
