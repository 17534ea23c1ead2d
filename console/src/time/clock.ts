import { useSyncExternalStore } from 'react';

/** A clock that all parts of the page share: they change together, and one timer runs. */
class Clock {
  private now = Date.now();
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly stepMs: number) {}

  readonly read = (): number => this.now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    if (this.timer === undefined) {
      this.now = Date.now();
      this.timer = setInterval(this.tick, this.stepMs);
    }
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  };

  private readonly tick = (): void => {
    this.now = Date.now();
    for (const listener of this.listeners) listener();
  };
}

const everySecond = new Clock(1_000);
const everyTenSeconds = new Clock(10_000);

/**
 * Returns the present time in milliseconds since 1970, and again when it has changed.
 * @param precise every second; otherwise every ten seconds
 */
export function useNow(precise = false): number {
  const clock = precise ? everySecond : everyTenSeconds;
  return useSyncExternalStore(clock.subscribe, clock.read);
}

/** When what the page shows was last known; null while it is live. */
let frozenAt: number | null = null;
const frozenListeners = new Set<() => void>();

/**
 * Stops durations at a time, because nothing is known since then.
 * @param at milliseconds since 1970; null lets them run
 */
export function freezeDurations(at: number | null): void {
  if (at === frozenAt) return;
  frozenAt = at;
  for (const listener of frozenListeners) listener();
}

function subscribeToFrozen(listener: () => void): () => void {
  frozenListeners.add(listener);
  return () => frozenListeners.delete(listener);
}

/** Returns when what the page shows was last known, in milliseconds since 1970; null while it is live. */
export function useFrozenAt(): number | null {
  return useSyncExternalStore(subscribeToFrozen, () => frozenAt);
}

/** Returns the present time, every second; the time at which the durations were stopped, while they are. */
export function useShownNow(): number {
  const now = useNow(true);
  return useFrozenAt() ?? now;
}
