import { useQuery } from '@tanstack/react-query';
import type { EventType } from '@waybill/client';
import { useId, useMemo, useState } from 'react';
import { eventTypesQuery } from '../../api/event-types.js';
import { IconButton } from '../../components/button.js';
import { TextField } from '../../components/form-field.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { FilterPreview } from './filter-preview.js';
import { toggled, withChecked, withFilter, type ChosenType } from './steps.js';
import { groupsOf, matchingTypes } from './type-groups.js';
import styles from './new-destination.module.css';

/** Properties of `TypesStep`. */
export interface TypesStepProps {
  readonly types: readonly ChosenType[];
  /** Whether the subscription exists, so that the choice is made. */
  readonly isDone: boolean;
  readonly onChange: (change: (before: readonly ChosenType[]) => readonly ChosenType[]) => void;
}

/** Chooses the event types, and the events of each by a filter. */
export function TypesStep({ types, isDone, onChange }: TypesStepProps) {
  const { data, error, refetch } = useQuery(eventTypesQuery);
  const [text, setText] = useState('');
  const found = useMemo(() => groupsOf(matchingTypes(data ?? [], text)), [data, text]);
  if (error) {
    return <ProblemPanel error={error} title="The event types could not be read" onRetry={() => void refetch()} />;
  }
  if (!data) return <Progress label="Reading the event types" />;
  return (
    <>
      {!isDone && (
        <>
          <TextField
            label="Find event types"
            hint="Words of the name or of the description."
            value={text}
            onChange={setText}
          />
          {/* The area scrolls, so the keyboard must reach it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div className={styles.types} role="region" aria-label="Event types" tabIndex={0}>
            {found.length === 0 && <p className={styles.soft}>No event type has these words.</p>}
            {found.map(({ name, types: some }) => (
              <TypeGroup key={name} name={name} types={some} chosen={types} onChange={onChange} />
            ))}
          </div>
        </>
      )}
      {types.length > 0 && (
        <section aria-label="Chosen event types" className={styles.form}>
          <h3 className={styles.small}>
            {types.length.toLocaleString('en')} {types.length === 1 ? 'event type is' : 'event types are'} chosen
          </h3>
          <ul className={styles.chosen}>
            {types.map((one) => (
              <li key={one.type} className={styles.form}>
                <div className={styles.line}>
                  <code>{one.type}</code>
                  {!isDone && (
                    <IconButton
                      label={`Remove ${one.type}`}
                      icon="close"
                      onPress={() => onChange((before) => toggled(before, one.type))}
                    />
                  )}
                </div>
                {isDone ? (
                  one.filter.trim() !== '' && <code>{one.filter}</code>
                ) : (
                  <FilterPreview
                    chosen={one}
                    onFilter={(filter) => onChange((before) => withFilter(before, one.type, filter))}
                    onChecked={(filter) => onChange((before) => withChecked(before, one.type, filter))}
                  />
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface TypeGroupProps extends Pick<TypesStepProps, 'onChange'> {
  readonly name: string;
  readonly types: readonly EventType[];
  readonly chosen: readonly ChosenType[];
}

/** The event types of one kind of resource. */
function TypeGroup({ name, types, chosen, onChange }: TypeGroupProps) {
  const id = useId();
  return (
    <fieldset className={styles.group}>
      <legend>{name}</legend>
      {types.map(({ type, description }) => (
        <div key={type} className={styles.choice}>
          <input
            id={`${id}${type}`}
            type="checkbox"
            checked={chosen.some((one) => one.type === type)}
            aria-describedby={`${id}${type}-text`}
            onChange={() => onChange((before) => toggled(before, type))}
          />
          <label htmlFor={`${id}${type}`}>
            <code>{type}</code>
          </label>
          <span id={`${id}${type}-text`} className={styles.small}>
            {description}
          </span>
        </div>
      ))}
    </fieldset>
  );
}
