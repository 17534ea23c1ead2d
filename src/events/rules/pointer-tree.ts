import type { EventFields } from '../../database/tables.js';
import { isJsonObject } from '../envelope/json-object.js';
import { partsOf } from '../envelope/json-pointer.js';

const index = /^(?:0|[1-9][0-9]*)$/;

/** Where pointers lead from a value. */
interface Branch {
  /** Whether a pointer ends here. */
  ends: boolean;
  readonly named: Map<string, Branch>;
  /** `*`: every item or member. */
  every: Branch | null;
  /** Whether a pointer leads to what no list has: a name that is no index. */
  leadsToMember: boolean;
}

/** The branches of the pointers that apply to a value. */
interface Branches {
  readonly excluded: readonly Branch[];
  readonly hashed: readonly Branch[];
  /** For each source with `include`. */
  readonly included: readonly (readonly Branch[])[];
}

/**
 * What pointers say about a value at one place: those of the `fields` of sources, or of the `redact` of a type. The
 * places below are made when they are first visited. So a walk costs the same for each value, whatever the number of
 * pointers.
 */
export class Place {
  /** Whether the value is not sent. */
  readonly isAbsent: boolean;
  /** Whether the hash of the value is sent. */
  readonly isHashed: boolean;
  /** Whether every `include` lets the whole value through. */
  readonly isWhole: boolean;
  /** Whether the value is sent as it is. */
  readonly isUntouched: boolean;
  private readonly names: ReadonlySet<string>;
  private readonly named = new Map<string, Place>();
  private others: Place | null = null;

  private constructor(private readonly branches: Branches) {
    const { excluded, hashed, included } = branches;
    this.isAbsent = hasEnd(excluded) || included.some((source) => source.length === 0);
    this.isHashed = hasEnd(hashed);
    this.isWhole = included.every(hasEnd);
    this.isUntouched = this.isWhole && excluded.length === 0 && hashed.length === 0;
    const all = [...excluded, ...hashed, ...included.flat()];
    this.names = new Set(all.flatMap(({ named }) => [...named.keys()]));
  }

  /** Returns the place of a payload as a whole. */
  static ofPayload(fields: readonly EventFields[]): Place {
    return new Place({
      excluded: [treeOf(fields.flatMap(({ exclude }) => exclude ?? []).flatMap(pathsOf))],
      hashed: [treeOf(fields.flatMap(({ hash }) => hash ?? []).flatMap(pathsOf))],
      included: fields.flatMap(({ include }) => (include ? [[treeOf(include.flatMap(includedPathsOf))]] : [])),
    });
  }

  /** Returns the place of an object of which pointers exclude values. */
  static ofObject(excluded: readonly string[]): Place {
    return new Place({ excluded: [treeOf(excluded.map(partsOf))], hashed: [], included: [] });
  }

  /** Whether an excluded value would be below this one, which cannot have it: it may be the value itself. */
  excludesBelow(value: unknown): boolean {
    return leadBelow(this.branches.excluded, value);
  }

  /** The same for a hashed value. */
  hashesBelow(value: unknown): boolean {
    return leadBelow(this.branches.hashed, value);
  }

  /** Returns the place of a member, or of an item of a list by its index. */
  below(name: string): Place {
    if (!this.names.has(name)) return (this.others ??= this.step(null));
    let place = this.named.get(name);
    if (!place) {
      place = this.step(name);
      this.named.set(name, place);
    }
    return place;
  }

  /** @param name null: one that no pointer has here */
  private step(name: string | null): Place {
    const { excluded, hashed, included } = this.branches;
    return new Place({
      excluded: branchesBelow(excluded, name),
      hashed: branchesBelow(hashed, name),
      // An included value is included with all that it has.
      included: included.map((source) => (hasEnd(source) ? source : branchesBelow(source, name))),
    });
  }
}

function branchesBelow(branches: readonly Branch[], name: string | null): readonly Branch[] {
  return branches.flatMap(({ named, every }) => {
    const exact = name === null ? undefined : named.get(name);
    return [...(exact ? [exact] : []), ...(every ? [every] : [])];
  });
}

function leadBelow(branches: readonly Branch[], value: unknown): boolean {
  if (value === null || isJsonObject(value)) return false;
  return Array.isArray(value) ? branches.some(({ leadsToMember }) => leadsToMember) : branches.length > 0;
}

function hasEnd(branches: readonly Branch[]): boolean {
  return branches.some(({ ends }) => ends);
}

function newBranch(): Branch {
  return { ends: false, named: new Map(), every: null, leadsToMember: false };
}

function treeOf(paths: readonly (readonly string[])[]): Branch {
  const root = newBranch();
  for (const path of paths) {
    let branch = root;
    for (const name of path) branch = branchOf(branch, name);
    branch.ends = true;
  }
  return root;
}

function branchOf(parent: Branch, name: string): Branch {
  if (name === '*') return (parent.every ??= newBranch());
  let branch = parent.named.get(name);
  if (!branch) {
    branch = newBranch();
    parent.named.set(name, branch);
    if (!index.test(name)) parent.leadsToMember = true;
  }
  return branch;
}

/** Returns the paths that a pointer stands for: one into `object` applies to the old and new values too. */
function pathsOf(pointer: string): readonly (readonly string[])[] {
  const path = partsOf(pointer);
  const [first, ...rest] = path;
  if (first !== 'object' && first !== '*') return [path];
  return [path, ['changes', 'before', ...rest], ['changes', 'after', ...rest]];
}

/**
 * As `pathsOf`. Where the old and new values do not fit into the event, the names of the changed members are sent:
 * without them, nothing would seem to have changed.
 */
function includedPathsOf(pointer: string): readonly (readonly string[])[] {
  const paths = pathsOf(pointer);
  return paths.length === 1 ? paths : [...paths, ['changes', 'omitted']];
}
