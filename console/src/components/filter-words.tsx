import { filterNames, textFilters, type EventFilter } from '../api/event-filter.js';
import { Time } from './time.js';
import ui from './ui.module.css';

/** A filter of events in words: what an event must have. */
export function FilterWords({ filter }: { readonly filter: EventFilter }) {
  const { type, from, to } = filter;
  const texts = textFilters.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (type === undefined && texts.length === 0 && from === undefined && to === undefined) return <>All events</>;
  return (
    <ul className={ui.items}>
      {type !== undefined && (
        <li>
          {filterNames.type} <code>{type.join(', ')}</code>
        </li>
      )}
      {texts.map(({ name, value }) => (
        <li key={name}>
          {filterNames[name]} <code>{value}</code>
        </li>
      ))}
      {from !== undefined && (
        <li>
          From <Time at={from} show="absolute" />
        </li>
      )}
      {to !== undefined && (
        <li>
          To <Time at={to} show="absolute" />
        </li>
      )}
    </ul>
  );
}
