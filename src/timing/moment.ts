/** A point in time by both clocks of a process. */
export interface Moment {
  /** By `performance.now()`: no one sets this clock, but Linux stops it while the machine is suspended. */
  readonly monotonicMs: number;
  /** By `Date.now()`: it counts a suspension, but it can be set. */
  readonly wallMs: number;
}

/** Returns the present moment. */
export function thisMoment(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** Returns the milliseconds since a moment, by the clock that counts more. */
export function elapsedSince({ monotonicMs, wallMs }: Moment): number {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}
