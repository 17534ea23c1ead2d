import { Link } from '@tanstack/react-router';
import type { EventCounts } from '@waybill/client';
import { useMemo } from 'react';
import type { EventRow } from '../../api/events.js';
import type { EventSearch } from '../../app/event-search.js';
import { Fact, Facts } from '../../components/facts.js';
import { stateWord } from '../../components/state-badge.js';
import ui from '../../components/ui.module.css';

/** Most values of a facet that are shown. */
const MOST_VALUES = 10;

interface FacetsProps {
  readonly rows: readonly EventRow[];
  /** Whether there may be more events than those that were read. */
  readonly hasMore: boolean;
  /** Undefined while they are not known. */
  readonly counts: EventCounts | undefined;
  readonly onChange: (change: Partial<EventSearch>) => void;
}

/**
 * How many of the events that were read have each type, principal and address: a value becomes a filter. And the states
 * of the deliveries of the newest events.
 */
export function Facets({ rows, hasMore, counts, onChange }: FacetsProps) {
  const types = useMemo(() => valuesOf(rows, ({ type }) => [type, type]), [rows]);
  const principals = useMemo(() => valuesOf(rows, ({ principalId, subject }) => [principalId, subject]), [rows]);
  const addresses = useMemo(() => valuesOf(rows, ({ ip }) => [ip ?? '', ip ?? 'none']), [rows]);
  if (rows.length < 2) return null;
  const count = rows.length.toLocaleString('en');
  return (
    <details>
      <summary>
        {`Types, principals, addresses and deliveries of ${hasMore ? `the ${count} events read` : `all ${count} events`}`}
      </summary>
      <Facts wide>
        <Facet name="Types" values={types} onChoose={(type) => onChange({ type: [type] })} />
        <Facet name="Principals" values={principals} onChoose={(id) => onChange({ principal_id: id })} />
        <Facet name="Addresses" values={addresses} onChoose={(ip) => onChange({ ip })} />
        {counts && <Deliveries counts={counts} />}
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
            {value.id === '' ? (
              value.name
            ) : (
              <button type="button" className={ui.link} onClick={() => onChoose(value.id)}>
                {value.name}
              </button>
            )}
            <span className={ui.number}>{value.count.toLocaleString('en')}</span>
          </li>
        ))}
        {rest > 0 && <li className={ui.note}>and {rest.toLocaleString('en')} with fewer events</li>}
      </ul>
    </Fact>
  );
}

/** Where the deliveries in a state are listed, of all events. */
const lists = {
  pending: { to: '/', search: { sort: '-undelivered' } },
  rejected: { to: '/not-delivered', search: { state: 'rejected' } },
  expired: { to: '/not-delivered', search: { state: 'expired' } },
} as const;

/** The states of the deliveries of the newest events. Those that wait or were not delivered are listed elsewhere. */
function Deliveries({ counts: { deliveries, deliveries_of: events } }: { readonly counts: EventCounts }) {
  const states = (['delivered', 'pending', 'rejected', 'expired', 'cancelled'] as const).filter(
    (state) => deliveries[state] > 0,
  );
  return (
    <Fact name="Deliveries">
      <ul className={ui.items}>
        {states.map((state) => {
          const list = state === 'delivered' || state === 'cancelled' ? undefined : lists[state];
          return (
            <li key={state} className={ui.line}>
              {list ? (
                <Link {...list} className={ui.link} title={`All ${stateWord(state).toLowerCase()}, of every event`}>
                  {stateWord(state)}
                </Link>
              ) : (
                stateWord(state)
              )}
              <span className={ui.number}>{deliveries[state].toLocaleString('en')}</span>
            </li>
          );
        })}
        <li className={ui.note}>
          {`of the newest ${events.toLocaleString('en')} ${events === 1 ? 'event' : 'events'}, up to 100 of each. `}
          A link leads to the deliveries of all events.
        </li>
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
