import { setTimeout as sleep } from 'node:timers/promises';

/** Customers that all workers change, so that transactions wait for each other. */
const SHARED_CUSTOMERS = 4;
/** Delay of a worker after each request. Without it, most changes would be made before the first restart has ended. */
const PAUSE_MS = 40;
/** Delay after a request without a response, while the API is restarted. */
const RETRY_MS = 100;

const CREDIT_LIMIT = 100_000;
/** Text of an event may contain neither: Waybill redacts addresses, and the trigger leaves tokens out. */
export const privateTexts = ['@customers.example', 'provider-token-'];

/** Counts of requests. Nothing is concluded from them about what was committed. */
export interface RequestCounts {
  accepted: number;
  /** 4xx: the transaction was rolled back. */
  refused: number;
  /** 5xx, or no response. */
  failed: number;
}

/** Makes changes through the API of the example until it is stopped. */
export class HttpLoad {
  readonly counts: RequestCounts = { accepted: 0, refused: 0, failed: 0 };
  private readonly shared: string[] = [];
  private stopping = false;
  private workers: Promise<void>[] = [];
  private serial = 0;

  constructor(private readonly baseUrl: string) {}

  /** @param workers requests side by side */
  start(workers: number): void {
    this.workers = Array.from({ length: workers }, (_, number) => this.work(number));
  }

  /** Ends after the requests in progress. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.workers);
  }

  private async work(number: number): Promise<void> {
    while (!this.stopping) {
      try {
        await this.life(number);
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  /** The life of a customer: 14 changes are committed, and 3 are rolled back. */
  private async life(worker: number): Promise<void> {
    this.serial += 1;
    const name = `customer ${this.serial} of worker ${worker}`;
    const customer = await this.create('/customers', {
      name,
      email: `c${this.serial}${privateTexts[0]}`,
      credit_limit_cents: CREDIT_LIMIT,
    });
    await this.send('PATCH', `/customers/${customer}`, { name: `${name}, renamed` });
    const order = await this.create('/orders', { customer_id: customer, lines: linesOf(100) });
    await this.send('PATCH', `/orders/${order}`, { lines: linesOf(150) });
    // Over the credit limit: recorded, then rolled back.
    await this.send('POST', '/orders', { customer_id: customer, lines: linesOf(2 * CREDIT_LIMIT) });
    const paymentsOf = `/orders/${order}/payments`;
    const token = `${privateTexts[1]}${this.serial}`;
    const payment = await this.create(paymentsOf, { method: 'card', amount_cents: 50, provider_token: token });
    // More than is left to pay: rolled back.
    await this.send('POST', paymentsOf, { method: 'transfer', amount_cents: 5_000 });
    await this.send('POST', `/payments/${payment}/settle`);
    await this.create(paymentsOf, { method: 'transfer', amount_cents: 100 });
    const second = await this.create('/orders', { customer_id: customer, lines: linesOf(10) });
    await this.send('POST', `/orders/${second}/cancel`);
    // The customer has orders: rolled back.
    await this.send('DELETE', `/customers/${customer}`);
    await this.changeShared(name);
  }

  /** Several workers change the same rows at the same time. */
  private async changeShared(name: string): Promise<void> {
    if (this.shared.length < SHARED_CUSTOMERS) {
      const email = `shared${privateTexts[0]}`;
      this.shared.push(await this.create('/customers', { name, email, credit_limit_cents: CREDIT_LIMIT }));
    }
    for (const id of this.shared) await this.send('PATCH', `/customers/${id}`, { name: `shared by ${name}` });
    const gone = await this.create('/customers', { name, email: `x${privateTexts[0]}`, credit_limit_cents: 0 });
    await this.send('DELETE', `/customers/${gone}`);
  }

  private async create(path: string, body: unknown): Promise<string> {
    const created = await this.send('POST', path, body);
    if (created === null) throw new RequestFailed();
    return created.id;
  }

  /**
   * Returns the body of a 2xx response with one; null for a 4xx.
   * @throws RequestFailed for a 5xx, or without a response
   */
  private async send(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<{ readonly id: string } | null> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        'x-user-id': 'user-7',
        'x-user-name': 'Ada',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => null);
    const text = await response?.text().catch(() => null);
    if (!response || text == null || response.status >= 500) {
      this.counts.failed += 1;
      throw new RequestFailed();
    }
    this.counts[response.ok ? 'accepted' : 'refused'] += 1;
    await sleep(PAUSE_MS);
    return response.ok && text !== '' ? (JSON.parse(text) as { id: string }) : null;
  }
}

/** A request that may or may not have been executed. */
class RequestFailed extends Error {}

function linesOf(totalCents: number): readonly Record<string, unknown>[] {
  return [
    { sku: 'A-1', quantity: 1, unit_cents: totalCents - 1 },
    { sku: 'B-2', quantity: 1, unit_cents: 1 },
  ];
}
