import { useQuery } from '@tanstack/react-query';
import type { EventType } from '@waybill/client';
import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { toggled, withoutTypes, withTypes, type ChosenType, type TypeChange } from '../../api/chosen-types.js';
import { eventTypesQuery } from '../../api/event-types.js';
import { Button } from '../button.js';
import { TextField } from '../form-field.js';
import { QueryState } from '../query-state.js';
import { ChosenFilters } from './chosen-filters.js';
import { groupsOf, matchingTypes } from './type-groups.js';
import ui from '../ui.module.css';
import styles from './type-chooser.module.css';

interface TypeChooserProps {
  readonly types: readonly ChosenType[];
  readonly onChange: (change: TypeChange) => void;
}

/** Chooses event types: one, a group or all of them, and the events of each by a filter. */
export function TypeChooser({ types, onChange }: TypeChooserProps) {
  const query = useQuery(eventTypesQuery);
  const { data, error } = query;
  const [text, setText] = useState('');
  const found = useMemo(() => matchingTypes(data ?? [], text), [data, text]);
  if (error || !data) return <QueryState query={query} what="event types" />;
  const names = found.map(({ type }) => type);
  const snapshots = types.filter(({ type }) => /_snapshot\.v\d+$/.test(type)).length;
  return (
    <>
      <TextField
        label="Find event types"
        hint="Words of the name or of the description. Tab leads from group to group, the arrow keys within a group."
        value={text}
        onChange={setText}
      />
      <div className={ui.line}>
        <Button isDisabled={found.length === 0} onPress={() => onChange((before) => withTypes(before, names))}>
          {text.trim() === '' ? 'All types' : `All ${found.length.toLocaleString('en')} found types`}
        </Button>
        <Button isDisabled={types.length === 0} onPress={() => onChange(() => [])}>
          No types
        </Button>
        <span role="status">
          {types.length.toLocaleString('en')} of {data.length.toLocaleString('en')} event types are chosen.
        </span>
      </div>
      {snapshots > 0 && <p className={ui.soft}>A snapshot type sends each existing resource once, when it is added.</p>}
      <div className={`${ui.card} ${ui.stack} ${styles.types}`} role="region" aria-label="Event types">
        {found.length === 0 && <p className={ui.soft}>No event type has these words.</p>}
        {groupsOf(found).map(({ name, types: some }) => (
          <TypeGroup key={name} name={name} types={some} chosen={types} onChange={onChange} />
        ))}
      </div>
      {types.length > 0 && <ChosenFilters types={types} onChange={onChange} />}
    </>
  );
}

interface TypeGroupProps extends Pick<TypeChooserProps, 'onChange'> {
  readonly name: string;
  readonly types: readonly EventType[];
  readonly chosen: readonly ChosenType[];
}

/** The event types of one kind of resource: one stop of the Tab key. */
function TypeGroup({ name, types, chosen, onChange }: TypeGroupProps) {
  const id = useId();
  const [current, setCurrent] = useState(0);
  const names = types.map(({ type }) => type);
  const count = names.filter((one) => chosen.some(({ type }) => type === one)).length;
  const all = names.length > 1 ? 1 : 0;
  const stop = Math.min(current, names.length + all - 1);
  const boxAt = (index: number) => ({
    type: 'checkbox',
    tabIndex: index === stop ? 0 : -1,
    onFocus: () => setCurrent(index),
    onKeyDown: moveWithin,
  });
  return (
    <fieldset className={ui.items}>
      <legend>{name}</legend>
      {all === 1 && (
        <div className={styles.choice}>
          <input
            {...boxAt(0)}
            id={`${id}all`}
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && count < names.length;
            }}
            checked={count === names.length}
            onChange={() =>
              onChange((before) => (count === names.length ? withoutTypes(before, names) : withTypes(before, names)))
            }
          />
          <label htmlFor={`${id}all`}>All of {name}</label>
        </div>
      )}
      {types.map(({ type, description }, index) => (
        <div key={type} className={styles.choice}>
          <input
            {...boxAt(index + all)}
            id={`${id}${type}`}
            checked={chosen.some((one) => one.type === type)}
            aria-describedby={`${id}${type}-text`}
            onChange={() => onChange((before) => toggled(before, type))}
          />
          <label htmlFor={`${id}${type}`}>
            <code>{type}</code>
          </label>
          <span id={`${id}${type}-text`} className={ui.note}>
            {description}
          </span>
        </div>
      ))}
    </fieldset>
  );
}

/** Moves the focus to the next or the previous box of the group. */
function moveWithin(event: KeyboardEvent<HTMLInputElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const boxes = [...(event.currentTarget.closest('fieldset')?.querySelectorAll('input') ?? [])];
  boxes[boxes.indexOf(event.currentTarget) + step]?.focus();
}
