import { CodeText } from '../code-text.js';
import { Fact } from '../facts.js';
import { RadioField, SelectField, TextField } from '../form-field.js';
import type { TargetDraft } from './draft.js';
import { faultOf, valueOf, type Field, type Values } from './fields.js';
import styles from './target-form.module.css';

/** Properties of `TargetFields`. */
export interface TargetFieldsProps {
  readonly draft: TargetDraft;
  readonly fields: readonly Field[];
  /** What the service refused, by path of the field. */
  readonly refused: Values;
  /** Whether the service has the secret of a field already: an empty one leaves it as it is. Default: none. */
  readonly isStored?: (field: Field) => boolean;
  readonly onChange: (draft: TargetDraft) => void;
}

/** Some fields of the configuration of a target. */
export function TargetFields({ draft, fields, refused, isStored = () => false, onChange }: TargetFieldsProps) {
  return (
    <div className={styles.fields}>
      {fields.map((field) => {
        const { path, label, schema, isChoice, options } = field;
        const value = valueOf(field, draft.values);
        const change = (next: string) => onChange({ ...draft, values: { ...draft.values, [path]: next } });
        const shared = { label, value, onChange: change };
        if (isChoice) return <RadioField key={path} {...shared} options={options} />;
        const description = schema.description ?? '';
        const hint = <CodeText text={isStored(field) ? `${description} Empty: it stays as it is.` : description} />;
        const fault = (value === '' ? null : faultOf(field, value)) ?? refused[path] ?? null;
        if (options.length > 0)
          return <SelectField key={path} {...shared} hint={hint} fault={fault} options={options} />;
        const [example] = schema.examples ?? [];
        return (
          <TextField
            key={path}
            {...shared}
            hint={hint}
            fault={fault}
            type={schema.writeOnly ? 'password' : 'text'}
            canPaste
            {...(example !== undefined && { placeholder: String(example) })}
          />
        );
      })}
    </div>
  );
}

/** Fields of a stored configuration and their values, in `Facts`. A secret is never shown. */
export function TargetFacts({ draft, fields }: Pick<TargetFieldsProps, 'draft' | 'fields'>) {
  return fields.map((field) => {
    const value = draft.values[field.path] ?? '';
    const shown = field.options.find(([one]) => one === value)?.[1] ?? value;
    return (
      <Fact key={field.path} name={field.label}>
        {field.schema.writeOnly ? 'stored, never shown' : shown === '' ? 'none' : shown}
      </Fact>
    );
  });
}
