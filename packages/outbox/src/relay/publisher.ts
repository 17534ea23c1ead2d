import { interpret, type Answer, type ReadResponse } from './answer.js';
import type { RelaySettings } from './relay-options.js';
import type { SendableEvent } from './waiting-events-store.js';

/**
 * Most bytes of a response that are read. A refusal has at most 50 pointers. With "~" as "~0", a pointer is up to twice
 * as long as the 64 KiB of an event: 6.25 MiB. JSON escapes no more in it than in the request.
 */
const LONGEST_RESPONSE = 8_388_608;

/** Sends batches to Waybill, one at a time. */
export class Publisher {
  constructor(private readonly settings: Pick<RelaySettings, 'endpoint' | 'key' | 'requestTimeoutMs'>) {}

  /** Sends a batch, and returns what the answer means. Does not throw. */
  async publish(batch: readonly SendableEvent[]): Promise<Answer> {
    const signal = AbortSignal.timeout(this.settings.requestTimeoutMs);
    try {
      return interpret(await this.send(batch, signal), batch.length);
    } catch (error) {
      const { requestTimeoutMs: limit } = this.settings;
      const detail = signal.aborted
        ? `Waybill did not answer within ${limit / 1_000} s`
        : `The request to Waybill failed: ${reasonOf(error)}`;
      return { kind: 'unavailable', detail, retryAfterMs: 0, tooSlow: signal.aborted };
    }
  }

  private async send(batch: readonly SendableEvent[], signal: AbortSignal): Promise<ReadResponse> {
    const { endpoint, key } = this.settings;
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'service-version': '2',
        'content-type': 'application/json',
        'user-agent': 'waybill-outbox',
      },
      body: `{"events":[${batch.map(({ body }) => body).join(',')}]}`,
      // The key is for this address only.
      redirect: 'manual',
      signal,
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      location: response.headers.get('location'),
      body: await boundedText(response),
    };
  }
}

/** Reads the body; what exceeds the bound is dropped. */
async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    const bytes: Uint8Array = chunk;
    chunks.push(bytes);
    length += bytes.byteLength;
    if (length > LONGEST_RESPONSE) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The cause of a failed `fetch` says more than its message. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return cause.message || code || cause.name;
}
