import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeClient, type RequestOutcome } from './change-request.js';

/** Options of a load. */
export interface LoadOptions {
  readonly perSecond: number;
  /** Number of policies that are updated repeatedly, to test the order of their events. */
  readonly hot: number;
  /** Longest time of a request without a response, in milliseconds. */
  readonly timeoutMs: number;
}

/** Responses that the load received. The event log shows what was published. */
export interface LoadCounts {
  /** Operation ids of the changes with a 2xx response. */
  readonly accepted: ReadonlySet<string>;
  /** Requests without a response: their changes may be committed or not. */
  readonly unanswered: number;
  /** Requests for which no process accepted a connection. */
  readonly refused: number;
  /** Other responses, by status. */
  readonly failed: ReadonlyMap<number, number>;
}

/** Limit of concurrent requests, as in a client with a connection pool. */
const CONNECTIONS = 32;
/** Cold policies to keep, so that no policy is deleted during a change to it. */
const SPARE_COLD = 8;
const TICK_MS = 20;
/** Limit until the hot policies exist. */
const PREPARED_WITHIN_MS = 300_000;

/**
 * Steady load of changes to IP policies. Six of ten changes update a hot policy; the others create, change and delete
 * cold ones. Every description is unique, so that the events of a policy can be ordered by it. Requests go to the api
 * processes in turn and are not repeated.
 */
export class SteadyLoad {
  private readonly client: ChangeClient;
  private readonly currentAccepted = new Set<string>();
  private readonly currentFailed = new Map<number, number>();
  private readonly open = new Set<Promise<void>>();
  private readonly currentHot: string[] = [];
  private readonly cold: string[] = [];
  private onAccepted: (() => void)[] = [];
  private currentUnanswered = 0;
  private currentRefused = 0;
  private number = 0;
  private turn = 0;
  private stopped = false;
  private loop: Promise<void> | undefined;

  private constructor(
    private readonly urls: () => readonly string[],
    token: string,
    private readonly options: LoadOptions,
  ) {
    this.client = new ChangeClient(token, CONNECTIONS, options.timeoutMs);
  }

  /** Creates the hot policies and starts the load. @throws Error after five minutes without all of them */
  static async start(urls: () => readonly string[], token: string, options: LoadOptions): Promise<SteadyLoad> {
    const load = new SteadyLoad(urls, token, options);
    const deadline = performance.now() + PREPARED_WITHIN_MS;
    while (load.currentHot.length < options.hot) {
      const outcome = await load.change('POST', '/ip_policies');
      if (outcome.kind === 'answered' && outcome.id !== '') load.currentHot.push(outcome.id);
      else if (performance.now() > deadline) throw new Error(`The load cannot begin: ${load.summary}.`);
      else await sleep(TICK_MS);
    }
    load.loop = load.run();
    return load;
  }

  get counts(): LoadCounts {
    return {
      accepted: this.currentAccepted,
      failed: this.currentFailed,
      unanswered: this.currentUnanswered,
      refused: this.currentRefused,
    };
  }

  /** One line for progress and reports. */
  get summary(): string {
    const failed = Array.from(this.currentFailed, ([status, count]) => `${count} answered ${status}`);
    const rest = [
      ...failed,
      ...(this.currentUnanswered > 0 ? [`${this.currentUnanswered} unanswered`] : []),
      ...(this.currentRefused > 0 ? [`${this.currentRefused} refused`] : []),
    ];
    return [`${this.currentAccepted.size} of ${this.number} changes accepted`, ...rest].join(', ');
  }

  /** Resolves at the next 2xx response. */
  nextAccepted(): Promise<void> {
    return new Promise((resolve) => this.onAccepted.push(resolve));
  }

  /** Stops and waits for the open requests. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
    await Promise.all(this.open);
    this.client.close();
  }

  private async run(): Promise<void> {
    let due = 0;
    let before = performance.now();
    while (!this.stopped) {
      await sleep(TICK_MS);
      const now = performance.now();
      due += ((now - before) * this.options.perSecond) / 1_000;
      before = now;
      for (; due >= 1 && this.open.size < CONNECTIONS; due -= 1) this.next();
      // Changes without a free connection are dropped, so that the rate stays steady.
      due = Math.min(due, 1);
    }
  }

  private next(): void {
    const made = this.nextChange().finally(() => this.open.delete(made));
    this.open.add(made);
  }

  private async nextChange(): Promise<void> {
    const kind = this.number % 10;
    if (kind < 6) {
      const hot = this.currentHot[Math.floor(Math.random() * this.currentHot.length)];
      await this.change('PATCH', `/ip_policies/${hot}`);
    } else if (kind < 8 || this.cold.length < SPARE_COLD) {
      const outcome = await this.change('POST', '/ip_policies');
      if (outcome.kind === 'answered' && outcome.id !== '') this.cold.push(outcome.id);
    } else if (kind === 8) {
      await this.change('PATCH', `/ip_policies/${this.cold.at(-1)}`);
    } else {
      await this.change('DELETE', `/ip_policies/${this.cold.shift()}`);
    }
  }

  private async change(method: 'POST' | 'PATCH' | 'DELETE', path: string): Promise<RequestOutcome> {
    this.number += 1;
    const description = `change ${this.number}`;
    const body = method === 'DELETE' ? undefined : { description };
    const outcome = await this.send(method, path, body);
    this.note(outcome);
    return outcome;
  }

  /** Sends to the processes in turn. A refused connection moves to the next process, as in a load balancer. */
  private async send(method: string, path: string, body: unknown): Promise<RequestOutcome> {
    const urls = this.urls();
    const turn = (this.turn += 1);
    for (let index = 0; index < urls.length; index += 1) {
      const url = urls[(turn + index) % urls.length];
      const outcome = url === undefined ? null : await this.client.send(url, method, path, body);
      if (outcome && outcome.kind !== 'refused') return outcome;
    }
    return { kind: 'refused' };
  }

  private note(outcome: RequestOutcome): void {
    switch (outcome.kind) {
      case 'refused':
        this.currentRefused += 1;
        return;
      case 'unanswered':
        this.currentUnanswered += 1;
        return;
      case 'answered':
        if (outcome.status < 300) this.accept(outcome.operationId);
        else this.currentFailed.set(outcome.status, (this.currentFailed.get(outcome.status) ?? 0) + 1);
    }
  }

  private accept(operationId: string): void {
    this.currentAccepted.add(operationId);
    const waiting = this.onAccepted;
    this.onAccepted = [];
    for (const resolve of waiting) resolve();
  }
}
