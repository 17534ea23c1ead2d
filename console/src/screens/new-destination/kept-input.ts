import type { ChosenType } from '../../api/chosen-types.js';
import type { TestResult } from '../../api/destination.js';
import { isObject } from '../../api/references.js';
import type { TargetKind } from '../../api/target-kinds.js';
import { keptValues, type TargetDraft } from '../../components/target/draft.js';
import { forgetText, keepText, keptText, type Keeper } from '../../preferences/kept-text.js';

/** The verdict of the last test. */
export interface Tested {
  readonly verdict: TestResult['verdict'];
  /** Version of the destination that was tested. */
  readonly etag: string | undefined;
}

/** What a person typed and chose. */
export interface Input {
  readonly draft: TargetDraft;
  readonly description: string;
  readonly types: readonly ChosenType[];
  /** Null without a test. */
  readonly tested: Tested | null;
}

/** Returns the input of a person who has typed nothing. @throws Error where there is no kind of target */
export function noInput([kind]: readonly TargetKind[]): Input {
  if (kind === undefined) throw new Error('The service has no kind of target.');
  return { draft: { kind, values: {} }, description: '', types: [], tested: null };
}

/** Returns the name under which input is kept. @param id the destination; undefined before it is created */
function nameOf(id: string | undefined): string {
  return `new-destination.${id ?? 'new'}`;
}

/** Keeps input in this tab, without secrets. */
export function keepInput(keeper: Keeper, id: string | undefined, input: Input): void {
  keepText(
    keeper,
    nameOf(id),
    JSON.stringify({ ...input, draft: { kind: input.draft.kind.kind, values: keptValues(input.draft) } }),
  );
}

/** Forgets the input for a destination. */
export function forgetInput(keeper: Keeper, id: string | undefined): void {
  forgetText(keeper, nameOf(id));
}

/** Returns the input that is kept for a destination; null where there is none. */
export function keptInput(keeper: Keeper, id: string | undefined, kinds: readonly TargetKind[]): Input | null {
  const text = keptText(keeper, nameOf(id));
  try {
    return text === null ? null : readInput(JSON.parse(text), kinds);
  } catch {
    return null;
  }
}

/** Reads what was kept. Another release may have kept it in another form: what does not fit is left out. */
export function readInput(kept: unknown, kinds: readonly TargetKind[]): Input {
  const { draft, description, types, tested } = membersOf(kept);
  const { kind, values } = membersOf(draft);
  const { verdict, etag } = membersOf(tested);
  const outcomes = ['delivered', 'retry', 'misconfigured', 'rejected', null] as const;
  const outcome = outcomes.find((one) => one === verdict);
  return {
    draft: {
      kind: kinds.find((one) => one.kind === kind) ?? noInput(kinds).draft.kind,
      values: Object.fromEntries(
        Object.entries(membersOf(values)).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value]] : [],
        ),
      ),
    },
    description: typeof description === 'string' ? description : '',
    types: Array.isArray(types) ? types.flatMap(readType) : [],
    tested: outcome === undefined ? null : { verdict: outcome, etag: typeof etag === 'string' ? etag : undefined },
  };
}

function readType(kept: unknown): readonly ChosenType[] {
  const { type, filter, isChecked } = membersOf(kept);
  if (typeof type !== 'string' || typeof filter !== 'string') return [];
  return [{ type, filter, isChecked: isChecked === true }];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
