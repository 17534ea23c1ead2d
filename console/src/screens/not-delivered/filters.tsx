import type { EventDestinationStatus } from '@waybill/client';
import { destinationOptions } from '../../api/destination-options.js';
import { undeliveredStates, type UndeliveredFilter } from '../../api/undelivered.js';
import { Button } from '../../components/button.js';
import { SelectField } from '../../components/form-field.js';
import { stateWord } from '../../components/state-badge.js';
import { Toggle, ToggleGroup } from '../../components/toggle.js';
import styles from './not-delivered.module.css';

/** Properties of `Filters`. */
export interface FiltersProps {
  readonly filter: UndeliveredFilter;
  /** Null before they are known. */
  readonly statuses: readonly EventDestinationStatus[] | null;
  readonly onChange: (change: UndeliveredFilter) => void;
}

/** The filters of the list: the destination, and the state. */
export function Filters({ filter: { state, destination_id: id }, statuses, onChange }: FiltersProps) {
  const options = destinationOptions(statuses ?? []);
  const isUnknown = id !== undefined && options.every(([one]) => one !== id);
  return (
    <search className={styles.filters} aria-label="Deliveries">
      <div className={styles.destination}>
        <SelectField
          label="Destination"
          options={[['', 'All destinations'], ...(isUnknown ? [[id, id] as const] : []), ...options]}
          value={id ?? ''}
          onChange={(value) => onChange({ destination_id: value === '' ? undefined : value })}
        />
      </div>
      <ToggleGroup label="States">
        {undeliveredStates.map((one) => (
          <Toggle key={one} isOn={one === state} onPress={() => onChange({ state: one === state ? undefined : one })}>
            {stateWord(one)}
          </Toggle>
        ))}
      </ToggleGroup>
      {(state !== undefined || id !== undefined) && (
        <Button look="quiet" icon="close" onPress={() => onChange({ state: undefined, destination_id: undefined })}>
          Clear the filters
        </Button>
      )}
    </search>
  );
}
