import type { EventSource } from '@waybill/client';

/** An event type that was chosen, with the condition that its events must match. */
export interface ChosenType {
  readonly type: string;
  /** An expression in CEL; empty for all events. */
  readonly filter: string;
  /** Whether the service accepted the filter; an empty filter needs no check. */
  readonly isChecked: boolean;
  /** The choice of members of a stored source, which is kept as it is. */
  readonly fields?: EventSource['fields'];
}

/** A change of a choice of event types. */
export type TypeChange = (before: readonly ChosenType[]) => readonly ChosenType[];

/** Returns a choice after one type was added or removed. */
export function toggled(types: readonly ChosenType[], type: string): readonly ChosenType[] {
  return types.some((one) => one.type === type) ? withoutTypes(types, [type]) : withTypes(types, [type]);
}

/** Returns a choice with more types. Those that are chosen keep their filters. */
export function withTypes(types: readonly ChosenType[], added: readonly string[]): readonly ChosenType[] {
  const chosen = new Set(types.map(({ type }) => type));
  const more = added.filter((type) => !chosen.has(type)).map((type) => ({ type, filter: '', isChecked: false }));
  return [...types, ...more];
}

/** Returns a choice without some types. */
export function withoutTypes(types: readonly ChosenType[], removed: readonly string[]): readonly ChosenType[] {
  return types.filter(({ type }) => !removed.includes(type));
}

/** Returns a choice in which a type has another filter. */
export function withFilter(types: readonly ChosenType[], type: string, filter: string): readonly ChosenType[] {
  return types.map((one) => (one.type === type && one.filter !== filter ? { ...one, filter, isChecked: false } : one));
}

/** Returns a choice in which the filter of a type was accepted, if it is still that filter. */
export function withChecked(types: readonly ChosenType[], type: string, filter: string): readonly ChosenType[] {
  return types.map((one) => (one.type === type && one.filter === filter ? { ...one, isChecked: true } : one));
}

/** Returns what a choice of event types still needs before it can be saved. */
export function missingInTypes(types: readonly ChosenType[]): readonly string[] {
  if (types.length === 0) return ['No event type is chosen.'];
  return types
    .filter(({ filter, isChecked }) => filter.trim() !== '' && !isChecked)
    .map(({ type }) => `The filter of ${type} is not checked: press “Preview ${type}”.`);
}

/** Returns the choice of a stored subscription. The service accepted its filters when they were saved. */
export function chosenOf(sources: readonly EventSource[]): readonly ChosenType[] {
  return sources.map(({ type, filter = '', fields }) => ({ type, filter, isChecked: true, ...(fields && { fields }) }));
}

/** Returns the sources of a subscription, as the API takes them. */
export function sourcesOf(types: readonly ChosenType[]) {
  return types.map(({ type, filter, fields }) => ({
    type,
    ...(filter.trim() !== '' && { filter: filter.trim() }),
    ...(fields && { fields }),
  }));
}
