import type { ReactNode } from 'react';
import { draftWith, isAws, type AuthKind, type TargetDraft } from '../api/target-draft.js';
import { credentialFieldsOf, faultOf, type TargetField } from '../api/target-fields.js';
import { RadioField, SelectField, TextField } from './form-field.js';
import styles from './target-form.module.css';

/** Properties of the parts of a target's form. */
export interface TargetFormProps {
  readonly draft: TargetDraft;
  readonly onChange: (draft: TargetDraft) => void;
}

/** Some fields of the configuration of a target. */
export function TargetFields({
  draft,
  fields,
  onChange,
  keepsSecrets = false,
}: TargetFormProps & {
  readonly fields: readonly TargetField[];
  /** Whether the service has the secrets already: an empty one stays as it is. */
  readonly keepsSecrets?: boolean;
}) {
  return (
    <div className={styles.fields}>
      {fields.map((field) => {
        const { name, label, hint, options, secret, example } = field;
        const value = draft.values[name] ?? '';
        const shared = { label, value, onChange: (next: string) => onChange(draftWith(draft, name, next)) };
        if (options) return <SelectField key={name} {...shared} hint={hint} options={options} />;
        return (
          <TextField
            key={name}
            {...shared}
            hint={secret && keepsSecrets ? `${hint} Empty: it stays as it is.` : hint}
            type={secret ? 'password' : 'text'}
            canPaste
            fault={value === '' ? null : faultOf(field, value)}
            {...(example !== undefined && { placeholder: example })}
          />
        );
      })}
    </div>
  );
}

const authKinds: readonly (readonly [AuthKind, string])[] = [
  ['role', 'A role that Waybill assumes (no key leaves your account)'],
  ['creds', 'A long-term access key'],
];

/** The credentials of a target. */
export function CredentialFields({
  draft,
  keepsSecrets = false,
  children,
  onChange,
}: TargetFormProps & {
  /** What is said before the fields. */
  readonly children?: ReactNode;
  /** As for `TargetFields`. */
  readonly keepsSecrets?: boolean;
}) {
  return (
    <div className={styles.credentials}>
      {isAws(draft.kind) && (
        <RadioField
          label="How Waybill signs in"
          options={authKinds}
          value={draft.auth}
          onChange={(auth) => onChange({ ...draft, auth })}
        />
      )}
      {children}
      <TargetFields draft={draft} fields={credentialFieldsOf(draft)} keepsSecrets={keepsSecrets} onChange={onChange} />
    </div>
  );
}
