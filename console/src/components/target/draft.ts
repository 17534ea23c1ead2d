import type { CreateEventDestination } from '@waybill/client';
import { isObject } from '../../api/references.js';
import type { FormSchema, TargetKind } from '../../api/target-kinds.js';
import { faultOf, fieldsOf, valueOf, type Field, type Values } from './fields.js';

/** The configuration of a target while a person types it. */
export interface TargetDraft {
  readonly kind: TargetKind;
  readonly values: Values;
}

/** Returns the fields that say where events are sent. */
export function targetFields({ kind, values }: TargetDraft): readonly Field[] {
  return fieldsOf(kind.schema, values).filter(({ path }) => !isCredential(kind, path));
}

/** Returns the fields that say how Waybill signs in. */
export function credentialFields({ kind, values }: TargetDraft): readonly Field[] {
  return fieldsOf(kind.schema, values).filter(({ path }) => isCredential(kind, path));
}

/** Whether a field is one of the credentials of a kind. */
export function isCredential(kind: TargetKind, path: string): boolean {
  return kind.credentials.some((name) => path === name || path.startsWith(`${name}.`));
}

/** Returns the name of the kind of a stored target: the member that is set. */
export function kindNameOf(target: object): string {
  return Object.entries(target).find(([, member]) => member !== null)?.[0] ?? '';
}

/**
 * Returns the draft of a stored target. Its secrets are empty, as the API returns none.
 * @throws Error for a kind that is not one of `kinds`
 */
export function draftOf(kinds: readonly TargetKind[], target: object): TargetDraft {
  const kind = kinds.find((one) => one.kind === kindNameOf(target));
  if (kind === undefined) throw new Error('The kind of the target is not known.');
  const stored = fieldsOf(kind.schema, null).flatMap(({ path, isChoice, options }) => {
    const value = memberAt(target, `${kind.kind}.${path}`);
    const chosen = options.find(([name]) => isObject(memberAt(value, name)))?.[0];
    const text = isChoice ? chosen : textOf(value);
    return text === undefined ? [] : [[path, text] as const];
  });
  return { kind, values: Object.fromEntries(stored) };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  return typeof value === 'string' ? value : undefined;
}

/** Returns the member of an object at a path; undefined where there is none. */
export function memberAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((member, name) => (isObject(member) ? member[name] : undefined), value);
}

/** Returns the target of a request. Null for an empty value: a stored secret stays, what is optional is removed. */
export function inputOf({ kind, values }: TargetDraft): CreateEventDestination['target'] {
  return fieldsOf(kind.schema, values).reduce<Readonly<Record<string, unknown>>>((input, field) => {
    const value = valueOf(field, values).trim();
    if (field.isChoice) return withMember(input, `${kind.kind}.${field.path}.${value}`, {});
    return withMember(input, `${kind.kind}.${field.path}`, value === '' ? null : typed(field.schema, value));
  }, {});
}

function typed({ type }: FormSchema, value: string): unknown {
  if (type === 'boolean') return value === 'true';
  return type === 'string' ? value : Number(value);
}

function withMember(object: Readonly<Record<string, unknown>>, path: string, value: unknown): typeof object {
  const [name = '', ...rest] = path.split('.');
  const inner = isObject(object[name]) ? object[name] : {};
  return { ...object, [name]: rest.length === 0 ? value : withMember(inner, rest.join('.'), value) };
}

/** Returns the draft of another kind in which a value has the form of its field, which it has not in this one. */
export function draftOfFittingKind(kinds: readonly TargetKind[], draft: TargetDraft): TargetDraft | null {
  const { kind, values } = draft;
  for (const field of targetFields(draft)) {
    const value = valueOf(field, values);
    if (value === '' || faultOf(field, value) === null) continue;
    for (const other of kinds.filter((one) => one !== kind)) {
      const fitting = targetFields({ kind: other, values }).find(
        (one) => one.isRequired && one.schema.pattern !== undefined && faultOf(one, value) === null,
      );
      if (fitting) return { kind: other, values: { ...values, [field.path]: '', [fitting.path]: value } };
    }
  }
  return null;
}

/** Texts as secrets often are. A pattern that fits one of them fits secrets. */
const likeSecrets = ['a'.repeat(40), '0'.repeat(32)];

/**
 * Returns the values of a draft that the browser may keep. A secret may have been typed into any field: only a value
 * whose form no secret has is kept, and that a field was cleared. No text without a form is kept.
 */
export function keptValues({ kind, values }: TargetDraft): Values {
  const kept = fieldsOf(kind.schema, null).flatMap((field) => {
    const value = values[field.path];
    return value !== undefined && mayKeep(field, value) ? [[field.path, value] as const] : [];
  });
  return Object.fromEntries(kept);
}

function mayKeep({ schema, options }: Field, value: string): boolean {
  if (schema.writeOnly) return false;
  if (options.length > 0) return options.some(([one]) => one === value);
  if (value.trim() === '') return true;
  if (schema.pattern === undefined) return false;
  const form = new RegExp(schema.pattern, 'u');
  return form.test(value.trim()) && !likeSecrets.some((text) => form.test(text));
}
