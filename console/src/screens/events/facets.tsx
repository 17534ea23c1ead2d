import { useMemo } from 'react';
import type { EventRow } from '../../api/events.js';
import type { EventSearch } from '../../app/event-search.js';
import { Fact, Facts } from '../../components/facts.js';
import ui from '../../components/ui.module.css';

/** Most values of a facet that are shown. */
const MOST_VALUES = 10;

interface FacetsProps {
  readonly rows: readonly EventRow[];
  /** Whether there may be more events than those that were read. */
  readonly hasMore: boolean;
  readonly onChange: (change: Partial<EventSearch>) => void;
}

/** How many of the events that were read have each type, and each principal. A value becomes a filter. */
export function Facets({ rows, hasMore, onChange }: FacetsProps) {
  const types = useMemo(() => valuesOf(rows, ({ type }) => [type, type]), [rows]);
  const principals = useMemo(() => valuesOf(rows, ({ principalId, subject }) => [principalId, subject]), [rows]);
  if (types.length < 2 && principals.length < 2) return null;
  const count = rows.length.toLocaleString('en');
  return (
    <details>
      <summary>
        {hasMore ? `Types and principals of the ${count} events read` : `Types and principals of all ${count} events`}
      </summary>
      <Facts wide>
        <Facet name="Types" values={types} onChoose={(type) => onChange({ type: [type] })} />
        <Facet name="Principals" values={principals} onChoose={(id) => onChange({ principal_id: id })} />
      </Facts>
    </details>
  );
}

/** A value of a facet. */
interface Value {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}

interface FacetProps {
  readonly name: string;
  readonly values: readonly Value[];
  readonly onChoose: (id: string) => void;
}

function Facet({ name, values, onChoose }: FacetProps) {
  const rest = values.length - MOST_VALUES;
  return (
    <Fact name={name}>
      <ul className={ui.items}>
        {values.slice(0, MOST_VALUES).map((value) => (
          <li key={value.id} className={ui.line}>
            <button type="button" className={ui.link} onClick={() => onChoose(value.id)}>
              {value.name}
            </button>
            <span className={ui.number}>{value.count.toLocaleString('en')}</span>
          </li>
        ))}
        {rest > 0 && <li className={ui.note}>and {rest.toLocaleString('en')} with fewer events</li>}
      </ul>
    </Fact>
  );
}

/** Returns the values that rows have, the most frequent first. @param valueOf id and name of the value of a row */
function valuesOf(
  rows: readonly EventRow[],
  valueOf: (row: EventRow) => readonly [id: string, name: string],
): readonly Value[] {
  const found = new Map<string, Value>();
  for (const row of rows) {
    const [id, name] = valueOf(row);
    found.set(id, { id, name, count: (found.get(id)?.count ?? 0) + 1 });
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count);
}
