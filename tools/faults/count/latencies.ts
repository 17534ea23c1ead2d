import type { ReceivedEvent } from '@waybill/sandbox';

/** A part of a scenario. */
export interface Window {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
}

/** Lets time pass, and returns it. */
export async function measured(
  environment: { wait(seconds: number): Promise<void> },
  seconds: number,
): Promise<Window> {
  const from = Date.now();
  await environment.wait(seconds);
  return { from, until: Date.now() };
}

/** Returns the time of change and of arrival for changes within a window, in milliseconds since the epoch. */
export function arrivalsOf(
  received: readonly ReceivedEvent[],
  { from, until }: Window,
): readonly { readonly changedAt: number; readonly receivedAtMs: number }[] {
  return received
    .map(({ body, receivedAtMs }) => {
      const { event_timestamp: timestamp } = JSON.parse(body) as { event_timestamp: string };
      return { changedAt: Date.parse(timestamp), receivedAtMs };
    })
    .filter(({ changedAt }) => changedAt >= from && changedAt < until);
}

/** Returns the time from change to arrival for changes within a window, in milliseconds. */
export function latencies(received: readonly ReceivedEvent[], window: Window): readonly number[] {
  return arrivalsOf(received, window).map(({ changedAt, receivedAtMs }) => receivedAtMs - changedAt);
}
