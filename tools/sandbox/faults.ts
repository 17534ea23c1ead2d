import type { ServiceName } from './exchange.js';
import type { Fault } from './sandbox-contract.js';

/** The kinds that end a call; `slow` only delays it. */
export type EndingFault = Fault & { readonly kind: Exclude<Fault['kind'], 'slow'> };

/** What the scripted faults do to one call. */
export interface Hit {
  readonly delayMs: number;
  readonly fault: EndingFault | undefined;
}

interface Scripted {
  readonly fault: Fault;
  left: number;
}

/** The scripted faults, oldest first: every `slow` that matches delays a call, the first other one decides it. */
export class FaultBook {
  private readonly random: () => number;
  private scripted: Scripted[] = [];

  /** `random` gives numbers from 0 up to 1. */
  constructor(random: () => number) {
    this.random = random;
  }

  /** Adds a fault; gives a function that removes it. */
  script(fault: Fault): () => void {
    const scripted = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
    this.scripted.push(scripted);
    return () => {
      this.scripted = this.scripted.filter((other) => other !== scripted);
    };
  }

  /** The faults in force. */
  list(): readonly Fault[] {
    return this.scripted.map(({ fault, left }) =>
      Number.isFinite(left) ? { ...fault, times: left } : fault,
    );
  }

  clear(): void {
    this.scripted = [];
  }

  /**
   * Uses up the faults that a call to `service` at `address` runs into.
   * @param carries whether one of its events has a text in it
   */
  hit(service: ServiceName, address: string, carries: (text: string) => boolean = () => false): Hit {
    if (this.scripted.length === 0) return { delayMs: 0, fault: undefined };
    let delayMs = 0;
    let ending: EndingFault | undefined;
    for (const scripted of this.scripted) {
      const { fault } = scripted;
      if (fault.target !== undefined && fault.target !== service) continue;
      // A fault for all means the five targets: their token services only fail when they are named.
      if (fault.target === undefined && (service === 'sts' || service === 'entra')) continue;
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

  /** True with the given probability. */
  chance(ratio: number): boolean {
    return this.random() < ratio;
  }
}

/** Mulberry32: the same numbers from 0 up to 1 for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
