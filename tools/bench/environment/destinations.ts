import type { TargetKind } from '../../../src/targets/target.js';
import { demoTargets } from '../../demo/destinations.js';
import type { Stage } from './stage.js';

/** Most destinations of one subscription. */
const DESTINATIONS_PER_SUBSCRIPTION = 100;

/** Creates a destination of a kind through the API, as a client does. Gives its id. */
export async function createDestination(stage: Stage, kind: TargetKind): Promise<string> {
  const { id } = await stage.client.create('/event_destinations', { target: { [kind]: demoTargets[kind] } });
  return id;
}

/** Where a data stream of this number is. */
export function streamArn(number: number): string {
  return `arn:aws:kinesis:eu-central-1:123456789012:stream/bench-${number}`;
}

/** Creates so many `data_stream` destinations, each with a stream of its own. Gives their ids. */
export async function createStreams(stage: Stage, count: number): Promise<readonly string[]> {
  const { auth } = demoTargets.delivery_stream;
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const target = { data_stream: { auth, stream_arn: streamArn(number) } };
    const { id } = await stage.client.create('/event_destinations', { target });
    ids.push(id);
  }
  return ids;
}

/** Subscribes destinations to new IP policies, the change that the benches make. */
export async function subscribe(stage: Stage, destinationIds: readonly string[]): Promise<void> {
  for (let start = 0; start < destinationIds.length; start += DESTINATIONS_PER_SUBSCRIPTION) {
    await stage.client.create('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }],
      destination_ids: destinationIds.slice(start, start + DESTINATIONS_PER_SUBSCRIPTION),
    });
  }
}
