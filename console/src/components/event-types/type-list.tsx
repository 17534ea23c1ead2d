import type { EventSource } from '@waybill/client';
import ui from '../ui.module.css';
import styles from './type-chooser.module.css';

/** Event types that a list shows at once. */
const SHOWN = 10;

interface TypeListProps {
  readonly sources: readonly Pick<EventSource, 'type' | 'filter' | 'fields'>[];
}

/** The event types of a subscription with their filters, in columns. A long list is closed at first. */
export function TypeList({ sources }: TypeListProps) {
  const list = (
    <ul className={styles.compact}>
      {sources.map(({ type, filter, fields }) => (
        <li key={type}>
          <code>{type}</code>
          {filter !== undefined && filter !== '' && (
            <>
              {' where '}
              <code>{filter}</code>
            </>
          )}
          {fields !== undefined && <span className={ui.soft}> with a choice of fields</span>}
        </li>
      ))}
    </ul>
  );
  if (sources.length <= SHOWN) return list;
  const filtered = sources.filter(({ filter = '' }) => filter !== '').length;
  return (
    <details>
      <summary>
        {sources.length.toLocaleString('en')} event types
        {filtered > 0 && `, ${filtered.toLocaleString('en')} with a filter`}
      </summary>
      {list}
    </details>
  );
}
