import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { checkpointEvent } from '../../src/events/catalogue/checkpoint-event.js';
import { until } from '../../tools/harness/until.js';
import type { Created, JsonObject } from './api-client.js';
import { setEnvironment } from './environment.js';
import { startTestApi, type TestApi } from './test-api.js';

/** A delivery in a response of the API. */
export interface DeliveryResponse extends JsonObject {
  readonly id: string;
  readonly event_id: string;
  readonly state: string;
  readonly sequence: number | null;
  readonly attempts: readonly JsonObject[];
}

/** An API whose process delivers its events, and a sandbox that replaces the clouds. */
export class DeliveringApi {
  private destinationCount = 0;

  private constructor(
    readonly api: TestApi,
    readonly sandbox: Sandbox,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<DeliveringApi> {
    const sandbox = await startSandbox();
    setEnvironment(sandbox.environment);
    const api = await startTestApi({
      ...sandbox.environment,
      // In one process, the worker learns of a first destination at once.
      ROLES: 'api,worker',
      // Jitter chooses a random part of the backoff: a random part of a day almost never ends during a test.
      DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS: '86400000',
      DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS: '86400000',
      ...settings,
    });
    return new DeliveringApi(api, sandbox);
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.sandbox.close();
  }

  /**
   * Creates a destination with a separate data stream, subscribed to created IP policies. `arn`: the address under
   * which the sandbox reports its events.
   */
  async destination(client = this.api.admin): Promise<Created & { readonly arn: string }> {
    this.destinationCount += 1;
    const arn = `arn:aws:kinesis:eu-central-1:123456789012:stream/s${this.destinationCount}`;
    const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
    const created = await client.create('/event_destinations', {
      target: { data_stream: { auth: { creds }, stream_arn: arn } },
    });
    await client.create('/event_subscriptions', {
      destination_ids: [created.id],
      sources: [{ type: 'ip_policy_created.v0' }],
    });
    return { ...created, arn };
  }

  /** Creates `count` IP policies: one event each. */
  async publish(count: number, client = this.api.admin): Promise<void> {
    for (let n = 0; n < count; n += 1) await client.create('/ip_policies', {});
  }

  /** Returns a page of the destination's deliveries, newest first. */
  async deliveries(path: string, query = '', client = this.api.admin): Promise<readonly DeliveryResponse[]> {
    const { body } = await client.get(`${path}/deliveries${query}`);
    return body.deliveries as readonly DeliveryResponse[];
  }

  /** Waits until `count` deliveries of the destination have the state, and returns them. */
  async ended(
    path: string,
    state: string,
    count: number,
    client = this.api.admin,
  ): Promise<readonly DeliveryResponse[]> {
    let found: readonly DeliveryResponse[] = [];
    const all = async () => (found = await this.deliveries(path, `?state=${state}`, client)).length === count;
    await until(all, `${count} are ${state}`);
    return found;
  }

  /**
   * Waits until `count` events that are no checkpoints have arrived, a checkpoint covers them, and it has arrived too:
   * because of it alone no other one is signed. Needs PROOF_CHECKPOINT_SECONDS.
   * @param query of the checkpoint, such as `?cosigned=true`
   * @returns the bodies that arrived
   */
  async sealed({ path, arn }: { path: string; arn: string }, count: number, query = ''): Promise<readonly string[]> {
    let found: readonly string[] = [];
    const isSealed = async () => {
      const { text } = await this.api.admin.get(`${path}/log/1/checkpoint${query}`);
      found = this.arrivals(arn);
      const isCheckpoint = found.map((body) => body.includes(checkpointEvent.type));
      const hasArrived = isCheckpoint.at(-1) === true && isCheckpoint.filter((is) => !is).length >= count;
      return hasArrived && found.length === Number(text.split('\n')[1] ?? 0) + 1;
    };
    await until(isSealed, `a checkpoint covers ${count} events, and has arrived`);
    return found;
  }

  /** Returns the bodies that arrived at a destination's stream. */
  arrivals(arn: string): readonly string[] {
    return this.sandbox.received({ target: 'data_stream', address: arn }).map(({ body }) => body);
  }
}
