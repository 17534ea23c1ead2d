import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeClient, type RequestOutcome } from './change-request.js';

/** How a load runs. */
export interface LoadOptions {
  /** Changes a second. */
  readonly perSecond: number;
  /** Policies that are updated again and again, so that there is an order that can be broken. */
  readonly hot: number;
}

/** What the load was told by the API. What was published is what the event log holds afterwards. */
export interface LoadTally {
  /** Operation ids of the changes that were answered 2xx. */
  readonly accepted: ReadonlySet<string>;
  /** Requests that were sent and got no answer: their changes may have been made or not. */
  readonly unanswered: number;
  /** Requests that could not be sent at all: nobody listened. */
  readonly refused: number;
  /** Answers that were not 2xx, by status. */
  readonly failed: ReadonlyMap<number, number>;
}

/** Requests that may be under way at once; beyond that the load waits, as a client with a pool of connections does. */
const CONNECTIONS = 32;
/** Cold policies that are kept, so that none is deleted while a change to it is under way. */
const SPARE_COLD = 8;
/** How often it is looked which changes are due. */
const TICK_MS = 20;

/**
 * A steady load of changes to IP policies: six of ten update one of a few hot policies, the others make, change and delete cold
 * ones. Every description is unique, so that the order of a policy's changes can be read off its events. Requests go to the processes
 * that serve the API by turns, and one that somebody has seen is never sent twice.
 */
export class SteadyLoad {
  private readonly client: ChangeClient;
  private readonly currentAccepted = new Set<string>();
  private readonly currentFailed = new Map<number, number>();
  private readonly underWay = new Set<Promise<void>>();
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
    this.client = new ChangeClient(token, CONNECTIONS);
  }

  /** Makes the hot policies and begins. */
  static async start(
    urls: () => readonly string[],
    token: string,
    options: LoadOptions,
  ): Promise<SteadyLoad> {
    const load = new SteadyLoad(urls, token, options);
    while (load.currentHot.length < options.hot) {
      const outcome = await load.change('POST', '/ip_policies');
      if (outcome.kind === 'answered' && outcome.id !== '') load.currentHot.push(outcome.id);
    }
    load.loop = load.run();
    return load;
  }

  /** How many requests have been sent. */
  get sent(): number {
    return this.number;
  }

  get tally(): LoadTally {
    return {
      accepted: this.currentAccepted,
      failed: this.currentFailed,
      unanswered: this.currentUnanswered,
      refused: this.currentRefused,
    };
  }

  /** One line about it. */
  get summary(): string {
    const failed = Array.from(this.currentFailed, ([status, count]) => `${count} answered ${status}`);
    const rest = [
      ...failed,
      ...(this.currentUnanswered > 0 ? [`${this.currentUnanswered} unanswered`] : []),
      ...(this.currentRefused > 0 ? [`${this.currentRefused} refused`] : []),
    ];
    return [`${this.currentAccepted.size} of ${this.number} changes accepted`, ...rest].join(', ');
  }

  /** Resolves at the very moment at which the next change is answered 2xx. */
  nextAccepted(): Promise<void> {
    return new Promise((resolve) => this.onAccepted.push(resolve));
  }

  /** Sends no more and waits for the answers that are still to come. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
    await Promise.all(this.underWay);
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
      for (; due >= 1 && this.underWay.size < CONNECTIONS; due -= 1) this.next();
      // What found no free connection is not made up for: the load stays steady.
      due = Math.min(due, 1);
    }
  }

  private next(): void {
    const made = this.nextChange().finally(() => this.underWay.delete(made));
    this.underWay.add(made);
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

  /** Asks the processes by turns; what one refuses to listen to goes to the next, as with a balancer. */
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
