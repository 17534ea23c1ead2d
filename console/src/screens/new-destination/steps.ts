import type { EventDestination } from '@waybill/client';
import { missingInTypes, type ChosenType } from '../../api/chosen-types.js';
import type { TestResult } from '../../api/destination.js';
import { credentialFields, targetFields, type TargetDraft } from '../../components/target/draft.js';
import { faultsOf } from '../../components/target/fields.js';
import { usesRole } from '../../components/target/role.js';

/** Most bytes of a description in the API. */
const LONGEST_DESCRIPTION = 255;

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

/** The verdict of a test; `outdated` where the destination has changed since. Undefined without a test. */
export type Verdict = TestResult['verdict'] | 'outdated' | undefined;

/** How far the person has come. */
export interface Creation {
  readonly draft: TargetDraft;
  readonly description: string;
  /** Null before it is created. */
  readonly destination: EventDestination | null;
  readonly types: readonly ChosenType[];
  /** The verdict of the last test; undefined without a test. */
  readonly verdict: Verdict;
  /** Id of the subscription; null before it is created. */
  readonly subscriptionId: string | null;
}

/** Returns what is missing before the destination can be created. */
export function faultsBeforeCreation(draft: TargetDraft, description: string): readonly string[] {
  return [...targetFaults(draft, description), ...faultsOf(credentialFields(draft), draft.values)];
}

function targetFaults(draft: TargetDraft, description: string): readonly string[] {
  const faults = faultsOf(targetFields(draft), draft.values);
  return descriptionFault(description) === null ? faults : ['Description: too long', ...faults];
}

/** Returns what is wrong with a description; null for one that can be sent. */
export function descriptionFault(text: string): string | null {
  const bytes = new TextEncoder().encode(text.trim()).length;
  if (bytes <= LONGEST_DESCRIPTION) return null;
  return `It is ${bytes.toLocaleString('en')} bytes long. At most ${LONGEST_DESCRIPTION} bytes are stored.`;
}

/** Returns what each step still needs; an empty list for one that is done. */
export function missingIn(creation: Creation): Readonly<Record<Step, readonly string[]>> {
  const { draft, description, destination, types, verdict, subscriptionId } = creation;
  const target = destination ? [] : targetFaults(draft, description);
  const credentials = destination ? [] : faultsOf(credentialFields(draft), draft.values);
  const destinationMissing = destination ? [] : ['The destination is not created (step 2).'];
  return {
    target,
    credentials: credentialsText(creation, credentials),
    types: subscriptionId === null ? missingInTypes(types) : [],
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

/** AWS knows a role only after a person has given it the trust policy: the test shows whether it does. */
function credentialsText({ draft, destination, verdict }: Creation, faults: readonly string[]): readonly string[] {
  if (destination === null) return faults.length > 0 ? faults : ['The destination is not created.'];
  if (!usesRole(draft) || verdict === 'delivered') return [];
  return ['The role needs the policies below. The test in step 4 shows whether AWS accepts it.'];
}

function testText(verdict: Verdict): string {
  if (verdict === 'outdated') return 'The destination has changed since its last test.';
  if (verdict === undefined) return 'The destination is not tested.';
  if (verdict === null) return 'The test has no verdict yet.';
  return 'The last test was not delivered.';
}

/** Only the click is missing. */
function lastOf({ destination, types }: Creation): readonly string[] {
  return destination && types.length > 0 ? ['The subscription is not created.'] : [];
}
