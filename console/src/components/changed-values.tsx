import { useState } from 'react';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { cutToDifference, valueText, type ValueChange } from './value-changes.js';
import styles from './changed-values.module.css';
import ui from './ui.module.css';

/** Most changes that are shown at once. */
const MOST = 50;

/** What changed: each member by its path, from the old value to the new one. */
export function ChangedValues({ changes }: { readonly changes: readonly ValueChange[] }) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? changes : changes.slice(0, MOST);
  return (
    <>
      <ul className={styles.changes}>
        {shown.map((change) => (
          <li key={change.path}>
            <Changed change={change} />
          </li>
        ))}
      </ul>
      {shown.length < changes.length && (
        <Button look="quiet" onPress={() => setAll(true)}>
          {`Show all ${changes.length.toLocaleString('en')} changes`}
        </Button>
      )}
    </>
  );
}

function Changed({ change: { path, before, after } }: { readonly change: ValueChange }) {
  const [isWhole, setWhole] = useState(false);
  const whole = [valueText(before), valueText(after)] as const;
  const short = cutToDifference(...whole);
  const [old, now] = isWhole ? whole : short;
  const isCut = short[0] !== whole[0] || short[1] !== whole[1];
  return (
    <>
      <code>{path}</code>: <del>{old}</del> → <ins>{now}</ins>
      {isCut && (
        <button type="button" className={ui.link} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show whole'}
        </button>
      )}
      {before !== undefined && before !== null && (
        <CopyButton text={whole[0]} label={`Copy the old value of ${path}`} />
      )}
    </>
  );
}
