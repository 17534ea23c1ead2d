import type { Sandbox } from '../../tools/sandbox/sandbox-contract.js';
import { startSandbox } from '../../tools/sandbox/start-sandbox.js';
import { until } from '../delivery/support/pipeline.js';
import type { Created, JsonObject } from './api-client.js';
import { setEnvironment } from './environment.js';
import { startTestApi, type TestApi } from './test-api.js';

/** A delivery as the API shows it. */
export interface DeliveryResponse extends JsonObject {
  readonly id: string;
  readonly event_id: string;
  readonly state: string;
  readonly sequence: number | null;
  readonly attempts: readonly JsonObject[];
}

/** An API and a worker that delivers what happens there, with a sandbox in place of the clouds. */
export class DeliveringApi {
  private made = 0;

  private constructor(
    readonly api: TestApi,
    readonly sandbox: Sandbox,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<DeliveringApi> {
    const sandbox = await startSandbox();
    setEnvironment(sandbox.environment);
    const api = await startTestApi({
      ...sandbox.environment,
      // Its jitter takes any part of the step: one of seconds would end while a test waits.
      DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS: '86400000',
      DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS: '86400000',
      ...settings,
    });
    await api.startWorker();
    return new DeliveringApi(api, sandbox);
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.sandbox.close();
  }

  /**
   * A destination with a data stream of its own, subscribed to new IP policies. `arn`: where the sandbox reports its
   * events.
   */
  async destination(client = this.api.admin): Promise<Created & { readonly arn: string }> {
    this.made += 1;
    const arn = `arn:aws:kinesis:eu-central-1:123456789012:stream/s${this.made}`;
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

  /** Makes so many events for whoever is subscribed. */
  async publish(count: number, client = this.api.admin): Promise<void> {
    for (let n = 0; n < count; n += 1) await client.create('/ip_policies', {});
  }

  /** A page of the destination's deliveries, newest first. */
  async deliveries(path: string, query = '', client = this.api.admin): Promise<readonly DeliveryResponse[]> {
    const { body } = await client.get(`${path}/deliveries${query}`);
    return body.deliveries as readonly DeliveryResponse[];
  }

  /** Resolves when so many deliveries of the destination have the state. */
  async ended(path: string, state: string, count: number): Promise<readonly DeliveryResponse[]> {
    let found: readonly DeliveryResponse[] = [];
    const all = async () => (found = await this.deliveries(path, `?state=${state}`)).length === count;
    await until(all, `${count} are ${state}`);
    return found;
  }

  /** What arrived at a destination's stream, as it was sent. */
  arrivals(arn: string): readonly string[] {
    return this.sandbox.received({ target: 'data_stream', address: arn }).map(({ body }) => body);
  }
}
