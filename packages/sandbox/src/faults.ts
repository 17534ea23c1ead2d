import { targetKinds, type Fault, type ServiceName } from './sandbox-contract.js';

const targets: ReadonlySet<string> = new Set(targetKinds);

/** A fault that decides the result of a call; `slow` only delays it. */
export type EndingFault = Fault & { readonly kind: Exclude<Fault['kind'], 'slow'> };

/** Effect of the scripted faults on one call. */
export interface AppliedFaults {
  readonly delayMs: number;
  readonly fault: EndingFault | undefined;
}

interface Scripted {
  readonly fault: Fault;
  left: number;
}

/** Scripted faults, oldest first. Every matching `slow` delays a call; the first other fault decides the result. */
export class ScriptedFaults {
  private readonly random: () => number;
  private scripted: Scripted[] = [];

  /** @param random returns numbers from 0 to 1 */
  constructor(random: () => number) {
    this.random = random;
  }

  /** Adds a fault. Returns a function that removes it. */
  script(fault: Fault): () => void {
    const scripted = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
    this.scripted.push(scripted);
    return () => {
      this.scripted = this.scripted.filter((other) => other !== scripted);
    };
  }

  /** Lists the active faults. */
  list(): readonly Fault[] {
    return this.scripted.map(({ fault, left }) => (Number.isFinite(left) ? { ...fault, times: left } : fault));
  }

  clear(): void {
    this.scripted = [];
  }

  /**
   * Applies the faults that match a call, and counts down their `times`.
   * @param carries checks whether an event of the call contains a text
   */
  apply(service: ServiceName, address: string, carries: (text: string) => boolean = () => false): AppliedFaults {
    if (this.scripted.length === 0) return { delayMs: 0, fault: undefined };
    let delayMs = 0;
    let ending: EndingFault | undefined;
    for (const scripted of this.scripted) {
      const { fault } = scripted;
      if (fault.target !== undefined && fault.target !== service) continue;
      // A fault without a target is for the five targets.
      if (fault.target === undefined && !targets.has(service)) continue;
      if (fault.address !== undefined && fault.address !== address) continue;
      if (ending !== undefined && fault.kind !== 'slow') continue;
      if (fault.contains !== undefined && !carries(fault.contains)) continue;
      if (fault.kind !== 'partial' && fault.ratio !== undefined && !this.chance(fault.ratio)) continue;
      scripted.left -= 1;
      if (fault.kind === 'slow') delayMs += fault.delayMs ?? 0;
      else ending = { ...fault, kind: fault.kind };
    }
    this.scripted = this.scripted.filter(({ left }) => left > 0);
    return { delayMs, fault: ending };
  }

  /** Returns true with the given probability. */
  chance(ratio: number): boolean {
    return this.random() < ratio;
  }
}

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
