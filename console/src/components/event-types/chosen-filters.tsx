import { useState } from 'react';
import { withChecked, withFilter, type ChosenType, type TypeChange } from '../../api/chosen-types.js';
import { Button, IconButton } from '../button.js';
import { SelectField } from '../form-field.js';
import { FilterEditor } from './filter-editor.js';
import ui from '../ui.module.css';

interface ChosenFiltersProps {
  readonly types: readonly ChosenType[];
  readonly onChange: (change: TypeChange) => void;
}

/** The filters of the chosen event types. One is added for a type where it is wanted. */
export function ChosenFilters({ types, onChange }: ChosenFiltersProps) {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState('');
  const edited = types.filter(({ type, filter }) => filter !== '' || opened.includes(type));
  const rest = types.filter((one) => !edited.includes(one)).map(({ type }) => type);
  const next = rest.includes(typed) ? typed : (rest[0] ?? '');
  const open = (type: string): void => setOpened((before) => [...before.filter((one) => one !== type), type]);
  return (
    <section aria-label="Filters" className={ui.stack}>
      <h3>Filters</h3>
      <p className={ui.soft}>
        {edited.length === 0
          ? 'Every event of the chosen types is sent. A filter sends only some events of a type.'
          : 'A filter is a condition. Only the events for which it is true are sent.'}
      </p>
      {edited.length > 0 && (
        <ul className={ui.parts}>
          {edited.map((one) => (
            <li key={one.type} className={ui.stack}>
              <div className={ui.line}>
                <code>{one.type}</code>
                <IconButton
                  label={`Remove the filter of ${one.type}`}
                  icon="close"
                  onPress={() => {
                    setOpened((before) => before.filter((type) => type !== one.type));
                    onChange((before) => withFilter(before, one.type, ''));
                  }}
                />
              </div>
              <FilterEditor
                chosen={one}
                isNew={one.filter === '' && opened.at(-1) === one.type}
                onFilter={(filter) => {
                  // An emptied filter stays open.
                  open(one.type);
                  onChange((before) => withFilter(before, one.type, filter));
                }}
                onChecked={(filter) => onChange((before) => withChecked(before, one.type, filter))}
              />
            </li>
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <div className={`${ui.line} ${ui.fields}`}>
          <SelectField
            label="Type with a filter"
            options={rest.map((type) => [type, type])}
            value={next}
            onChange={setTyped}
          />
          <Button icon="plus" onPress={() => open(next)}>
            Add a filter
          </Button>
        </div>
      )}
    </section>
  );
}
