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
