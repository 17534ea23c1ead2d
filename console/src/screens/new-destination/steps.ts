import type { EventDestination } from '@waybill/client';
import type { TestResult } from '../../api/destination.js';
import type { TargetDraft } from '../../api/target-draft.js';
import { credentialFieldsOf, faultsOf, targetFieldsOf } from '../../api/target-fields.js';

/** The steps, in order. */
export const steps = ['target', 'credentials', 'types', 'test', 'subscription'] as const;
/** A step. */
export type Step = (typeof steps)[number];

/** Titles of the steps. */
export const stepTitles: Readonly<Record<Step, string>> = {
  target: 'Target',
  credentials: 'Credentials',
  types: 'Event types',
  test: 'Test',
  subscription: 'Subscription',
};

/** An event type that was chosen, with the condition that its events must match. */
export interface ChosenType {
  readonly type: string;
  /** An expression in CEL; empty for all events. */
  readonly filter: string;
  /** Whether the last preview accepted the filter; an empty filter needs none. */
  readonly isChecked: boolean;
}

/** How far the person has come. */
export interface Creation {
  readonly draft: TargetDraft;
  /** Null before it is created. */
  readonly destination: EventDestination | null;
  readonly types: readonly ChosenType[];
  /** The verdict of the last test; undefined without a test. */
  readonly verdict: TestResult['verdict'] | undefined;
  /** Id of the subscription; null before it is created. */
  readonly subscriptionId: string | null;
}

/** Returns what is missing before the destination can be created. */
export function faultsBeforeCreation(draft: TargetDraft): readonly string[] {
  return [...faultsOf(targetFieldsOf(draft.kind), draft), ...faultsOf(credentialFieldsOf(draft), draft)];
}

/** Returns what each step still needs; an empty list for one that is done. */
export function missingIn(creation: Creation): Readonly<Record<Step, readonly string[]>> {
  const { draft, destination, types, verdict, subscriptionId } = creation;
  const target = destination ? [] : faultsOf(targetFieldsOf(draft.kind), draft);
  const credentials = destination ? [] : faultsOf(credentialFieldsOf(draft), draft);
  const unchecked = types.filter(({ filter, isChecked }) => filter.trim() !== '' && !isChecked);
  const chosen = [
    ...(types.length === 0 ? ['No event type is chosen.'] : []),
    ...unchecked.map(({ type }) => `The filter of ${type} has no preview without an error.`),
  ];
  const destinationMissing = destination ? [] : ['The destination is not created (step 2).'];
  return {
    target,
    credentials: destination || credentials.length > 0 ? credentials : ['The destination is not created.'],
    types: subscriptionId === null ? chosen : [],
    test: [...destinationMissing, ...(destination && verdict !== 'delivered' ? [testText(verdict)] : [])],
    subscription:
      subscriptionId === null
        ? [
            ...destinationMissing,
            ...(types.length === 0 ? ['No event type is chosen (step 3).'] : []),
            ...lastOf(creation),
          ]
        : [],
  };
}

function testText(verdict: Creation['verdict']): string {
  if (verdict === undefined) return 'The destination is not tested.';
  if (verdict === null) return 'The test has no verdict yet.';
  return 'The last test was not delivered.';
}

/** Only the click is missing. */
function lastOf({ destination, types }: Creation): readonly string[] {
  return destination && types.length > 0 ? ['The subscription is not created.'] : [];
}

/** Returns a list of types after one was added or removed. */
export function toggled(types: readonly ChosenType[], type: string): readonly ChosenType[] {
  if (types.some((one) => one.type === type)) return types.filter((one) => one.type !== type);
  return [...types, { type, filter: '', isChecked: false }];
}

/** Returns a list of types in which one has another filter. */
export function withFilter(types: readonly ChosenType[], type: string, filter: string): readonly ChosenType[] {
  return types.map((one) => (one.type === type && one.filter !== filter ? { type, filter, isChecked: false } : one));
}

/** Returns a list of types in which the filter of one was accepted, if it is still that filter. */
export function withChecked(types: readonly ChosenType[], type: string, filter: string): readonly ChosenType[] {
  return types.map((one) => (one.type === type && one.filter === filter ? { ...one, isChecked: true } : one));
}
