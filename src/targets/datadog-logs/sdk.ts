import type * as vendor from './vendor.js';

/** The parts of the Datadog client that are used. */
export type DatadogSdk = typeof vendor;

/**
 * Loads the Datadog client. Node loads it once. Call it only where a destination of this kind exists: the client takes
 * time and memory.
 */
export function loadSdk(): Promise<DatadogSdk> {
  return import('./vendor.js');
}
