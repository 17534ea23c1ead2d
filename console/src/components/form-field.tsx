import { useId, type ComponentProps, type ReactNode } from 'react';
import { dateOrder } from '../time/input-time.js';
import { PasteButton } from './copy-button.js';
import styles from './form-field.module.css';
import ui from './ui.module.css';

/** Properties of every field of a form. */
interface FieldProps {
  readonly label: string;
  /** What the value is for. */
  readonly hint?: ReactNode;
  /** What is wrong with the value; null or undefined for nothing. */
  readonly fault?: string | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface TextFieldProps extends FieldProps {
  /** Default: `text`. `datetime-local` is in the zone of the browser. */
  readonly type?: 'text' | 'password' | 'number' | 'datetime-local';
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly isRequired?: boolean;
  /** Whether a button beside it pastes the clipboard: for values that come from elsewhere. */
  readonly canPaste?: boolean;
  /** More attributes of the input. */
  readonly attributes?: Pick<
    ComponentProps<'input'>,
    'autoComplete' | 'autoFocus' | 'inputMode' | 'name' | 'onBlur' | 'onKeyDown' | 'step'
  >;
}

/** A line of text with its label, a hint, and what is wrong with it. */
export function TextField(props: TextFieldProps) {
  const { type = 'text', placeholder, maxLength, isRequired = false, canPaste = false } = props;
  const { label, value, onChange, attributes } = props;
  const hint =
    type === 'datetime-local' ? (
      <>
        {dateOrder()}. {props.hint}
      </>
    ) : (
      props.hint
    );
  return (
    <Frame {...props} hint={hint}>
      {(described) => (
        <div className={styles.line}>
          <input
            {...described}
            type={type}
            className={`${ui.control} ${styles.input}`}
            value={value}
            required={isRequired}
            autoComplete={type === 'password' ? 'new-password' : 'off'}
            spellCheck="false"
            onChange={({ target }) => onChange(target.value)}
            {...(type === 'number' && { min: 1, step: 1 })}
            {...(placeholder !== undefined && { placeholder })}
            {...(maxLength !== undefined && { maxLength })}
            {...attributes}
          />
          {canPaste && <PasteButton label={`Paste: ${label}`} onPaste={onChange} />}
        </div>
      )}
    </Frame>
  );
}

/** Several lines of text. */
export function TextArea(props: FieldProps & { readonly rows?: number; readonly maxLength?: number }) {
  const { rows = 3, maxLength, value, onChange } = props;
  return (
    <Frame {...props}>
      {(described) => (
        <textarea
          {...described}
          className={`${ui.control} ${styles.input}`}
          rows={rows}
          value={value}
          spellCheck="false"
          onChange={({ target }) => onChange(target.value)}
          {...(maxLength !== undefined && { maxLength })}
        />
      )}
    </Frame>
  );
}

/** A choice of one value from a list. */
export function SelectField(props: FieldProps & { readonly options: readonly (readonly [string, string])[] }) {
  const { options, value, onChange } = props;
  return (
    <Frame {...props}>
      {(described) => (
        <select
          {...described}
          className={`${ui.control} ${styles.input}`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          {options.map(([one, label]) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}

/** A choice of one value from a few that are all shown. */
export function RadioField<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend>{label}</legend>
      {options.map(([one, text]) => (
        <label key={one} className={styles.choice}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChange(one)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** A choice that is on or off. */
export function CheckField({
  label,
  hint,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className={ui.items}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          aria-describedby={id}
          checked={isOn}
          onChange={({ target }) => onChange(target.checked)}
        />
        {label}
      </label>
      <p id={id} className={ui.note}>
        {hint}
      </p>
    </div>
  );
}

/** What connects an input with its texts. */
interface Described {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

function Frame({
  label,
  hint,
  fault = null,
  children,
}: FieldProps & { readonly children: (described: Described) => ReactNode }) {
  const id = useId();
  const texts = [hint === undefined ? [] : `${id}-hint`, fault === null ? [] : `${id}-fault`].flat();
  return (
    <div className={ui.items}>
      <label htmlFor={id} className={ui.strong}>
        {label}
      </label>
      {children({
        id,
        ...(texts.length > 0 && { 'aria-describedby': texts.join(' ') }),
        ...(fault !== null && { 'aria-invalid': true as const }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={ui.note}>
          {hint}
        </p>
      )}
      {fault !== null && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  );
}
