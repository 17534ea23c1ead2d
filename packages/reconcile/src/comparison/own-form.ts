import { canonicalJson, type EventForm } from '@waybill/verify/readers';
import { digestOf } from './canonical.js';
import { differencesOf, type Difference } from './differences.js';
import { flattened, plainForm } from './target-form.js';

/** Characters that are kept of the digest of a member: 64 bits tell which members differ, not whether any does. */
const KEPT = 8;

/** What is kept of an event that a target stores in a form of its own. */
export interface OwnForm {
  /** `digestOf` its plain form. */
  readonly digest: string;
  /** The members of its plain form, in order. */
  readonly names: readonly string[];
  /** The beginnings of their digests, one after the other. */
  readonly values: string;
}

/** Events in forms of targets. Those with the same members share the list of the names. */
export class OwnForms {
  private readonly lists = new Map<string, readonly string[]>();
  private readonly seen = new Set<string>();

  /** Returns what is kept of an event of a tested file. */
  of(event: object, form: EventForm): OwnForm {
    const own = ownFormOf(event, form);
    const key = JSON.stringify(own.names);
    const names = this.lists.get(key) ?? own.names;
    if (!this.lists.has(key)) {
      this.lists.set(key, names);
      for (const name of names) this.seen.add(name);
    }
    return { ...own, names };
  }

  /**
   * Returns whether an event holds another value than the delivered one, or lacks one. A member that no event of the
   * files has is one that the target does not store. A member that was not delivered is one of the target.
   */
  isAltered(held: OwnForm, delivered: object): boolean {
    const own = ownFormOf(delivered, 'delivered');
    if (held.digest === own.digest) return false;
    const heldNames = new Set(held.names);
    const lacks = own.names.some((name) => !heldNames.has(name) && this.seen.has(name));
    return (
      lacks ||
      held.names.some((name, index) => Object.hasOwn(delivered, name) && valueAt(held, index) !== valueOf(own, name))
    );
  }
}

/** Returns what is kept of an event in a form of a target, or of one that was delivered. */
export function ownFormOf(event: object, form: EventForm): OwnForm {
  const members = flattened(plainForm(event, form));
  const names = Object.keys(members).toSorted();
  const values = names.map((name) => digestOf(members[name]).slice(0, KEPT)).join('');
  return { digest: digestOf(members), names, values };
}

/** Returns what differs in an event that a target stores in a form of its own, without what the form explains. */
export function ownFormDifferencesOf(delivered: object, held: object, form: EventForm): readonly Difference[] {
  const forms = [plainForm(delivered, 'delivered'), plainForm(held, form)] as const;
  const [before, now] = [flattened(forms[0]), flattened(forms[1])];
  const differs = (name: string) => canonicalJson(before[name] ?? null) !== canonicalJson(now[name] ?? null);
  const [changed, found] = forms.map((plain) =>
    Object.fromEntries(Object.entries(plain).filter(([name]) => differs(name))),
  );
  return differencesOf(changed, found);
}

function valueAt({ values }: OwnForm, index: number): string {
  return values.slice(index * KEPT, (index + 1) * KEPT);
}

/** Returns the value of a member; undefined where it has none. */
function valueOf(form: OwnForm, name: string): string | undefined {
  const index = form.names.indexOf(name);
  return index < 0 ? undefined : valueAt(form, index);
}
