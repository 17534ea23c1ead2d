import type { TargetKind } from '../../../src/targets/target.js';
import type { ApiClient } from '../../demo/api-client.js';
import { demoTargets } from '../../demo/destinations.js';
import type { Installation } from './installation.js';

/** Limit of the API. */
const DESTINATIONS_PER_SUBSCRIPTION = 100;

/** Creates a destination through the API. Returns its id. */
export async function createDestination(installation: Installation, kind: TargetKind): Promise<string> {
  const { id } = await installation.client.create('/event_destinations', {
    target: { [kind]: demoTargets[kind] },
  });
  return id;
}

/** Returns the ARN of a data stream. */
export function streamArn(number: number): string {
  return `arn:aws:kinesis:eu-central-1:123456789012:stream/bench-${number}`;
}

/** Creates `count` destinations of the kind `data_stream`, each with its own stream. Returns their ids. */
export async function createStreams(installation: Installation, count: number): Promise<readonly string[]> {
  const { auth } = demoTargets.delivery_stream;
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const target = { data_stream: { auth, stream_arn: streamArn(number) } };
    const { id } = await installation.client.create('/event_destinations', { target });
    ids.push(id);
  }
  return ids;
}

/** Subscribes destinations to event types. */
export async function subscribe(
  api: ApiClient,
  destinationIds: readonly string[],
  types: readonly string[] = ['ip_policy_created.v0'],
): Promise<void> {
  for (let start = 0; start < destinationIds.length; start += DESTINATIONS_PER_SUBSCRIPTION) {
    await api.create('/event_subscriptions', {
      sources: types.map((type) => ({ type })),
      destination_ids: destinationIds.slice(start, start + DESTINATIONS_PER_SUBSCRIPTION),
    });
  }
}
