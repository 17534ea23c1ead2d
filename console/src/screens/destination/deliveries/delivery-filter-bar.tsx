import { useState } from 'react';
import { deliveryStates, type DeliveryFilters, type DeliveryState } from '../../../api/deliveries.js';
import { Button } from '../../../components/button.js';
import { TextField } from '../../../components/form-field.js';
import { stateWord } from '../../../components/state-badge.js';
import { Toggle, ToggleGroup } from '../../../components/toggle.js';
import { useTypedTime } from '../../../components/typed-time.js';
import { usePreferences } from '../../../preferences/preferences.js';
import { zoneName } from '../../../time/zone-name.js';
import { noFilters } from '../search.js';
import { TypeField } from './type-field.js';
import ui from '../../../components/ui.module.css';

interface DeliveryFilterBarProps {
  readonly filters: DeliveryFilters;
  readonly onChange: (change: DeliveryFilters) => void;
}

/** States that are offered. Those of a deleted destination are found by address only. */
const offered: readonly DeliveryState[] = deliveryStates.filter((state) => state !== 'cancelled');

/** The filters of the deliveries: state, type, and more. */
export function DeliveryFilterBar({ filters, onChange }: DeliveryFilterBarProps) {
  const { state, type, ...more } = filters;
  const count = Object.values(more).filter((value) => value !== undefined).length;
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <search className={ui.stack} aria-label="Deliveries">
      <div className={ui.line}>
        <TypeField value={type} onChange={(next) => onChange({ type: next })} />
        <ToggleGroup label="States">
          {offered.map((one) => (
            <Toggle key={one} isOn={one === state} onPress={() => onChange({ state: one === state ? undefined : one })}>
              {stateWord(one)}
            </Toggle>
          ))}
        </ToggleGroup>
        <Button look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {count === 0 ? 'More filters' : `More filters (${count})`}
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button look="quiet" icon="close" onPress={() => onChange(noFilters())}>
            Clear the filters
          </Button>
        )}
      </div>
      {isOpen && <MoreFilters filters={filters} onChange={onChange} />}
    </search>
  );
}

function MoreFilters({ filters, onChange }: Pick<DeliveryFilterBarProps, 'filters' | 'onChange'>) {
  const text = (name: 'object_id' | 'operation_id' | 'principal_id') => ({
    value: filters[name] ?? '',
    onChange: (value: string) => onChange({ [name]: value.trim() === '' ? undefined : value.trim() }),
  });
  const number = (name: 'sequence_from' | 'sequence_to') => ({
    type: 'number' as const,
    value: filters[name] ?? '',
    onChange: (value: string) => onChange({ [name]: /^[1-9]\d{0,14}$/.test(value) ? value : undefined }),
  });
  const isReversed = Number(filters.sequence_from ?? 1) > Number(filters.sequence_to ?? Infinity);
  return (
    <div className={`${ui.card} ${ui.columns}`}>
      <TextField label="First sequence" {...number('sequence_from')} />
      <TextField
        label="Last sequence"
        fault={isReversed ? 'Must not be lower than the first sequence.' : null}
        {...number('sequence_to')}
      />
      <TimeField label="Events from" value={filters.from} onChange={(from) => onChange({ from })} />
      <TimeField label="Events to" value={filters.to} onChange={(to) => onChange({ to })} />
      <TextField label="Resource id" {...text('object_id')} canPaste />
      <TextField label="Operation id" {...text('operation_id')} canPaste />
      <TextField label="Principal id" {...text('principal_id')} canPaste />
    </div>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (at: string | undefined) => void;
}

function TimeField({ label, value, onChange }: TimeFieldProps) {
  const { zone } = usePreferences();
  const { text, setText, attributes } = useTypedTime(value, onChange);
  return (
    <TextField
      label={label}
      type="datetime-local"
      hint={`${zoneName(zone)}.`}
      value={text}
      onChange={setText}
      attributes={attributes}
    />
  );
}
