import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EncodedKey } from './pem.js';

/** A certificate with its chain, in DER, and perhaps its key. */
export interface OpensslInput {
  readonly certificates: readonly Uint8Array[];
  readonly key: { readonly der: Uint8Array; readonly form: EncodedKey['form'] } | null;
}

/** What OpenSSL found. */
export type OpensslResult =
  /** `isAuthority`: whether the first certificate may sign others. */
  | { readonly kind: 'accepted'; readonly isAuthority: boolean }
  | { readonly kind: 'certificate_unreadable'; readonly index: number }
  | { readonly kind: 'key_unreadable' }
  | { readonly kind: 'key_mismatch' };

/** Longest check, in milliseconds. The slowest supported keys take a few. */
const LIMIT_MS = 2_000;
const START_LIMIT_MS = 30_000;
const THREAD = new URL('./openssl-thread.mjs', import.meta.url);

/** Thrown when a check takes too long. */
export class OpensslTimeout extends Error {
  override readonly name = 'OpensslTimeout';
}

/**
 * Parses certificates and keys with OpenSSL, in a thread of its own: the cost of a parse depends on numbers that the
 * sender chooses, and nothing can interrupt it. One thread serves one check after another. A thread that exceeds the
 * limit is ended, and the next check starts another one.
 */
export class Openssl {
  /** Undefined while there is none. */
  private thread: Promise<Worker> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param limitMs longest check
   * @param script the code of the thread
   */
  constructor(
    private readonly limitMs: number = LIMIT_MS,
    private readonly script: URL = THREAD,
  ) {}

  /** Runs one check. @throws OpensslTimeout; Error when the thread fails */
  check(input: OpensslInput): Promise<OpensslResult> {
    const result = this.last.then(() => this.run(input));
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread. A later check starts another one. */
  async close(): Promise<void> {
    const thread = await this.thread?.catch(() => undefined);
    this.thread = undefined;
    await thread?.terminate();
  }

  private async run(input: OpensslInput): Promise<OpensslResult> {
    this.thread ??= this.replaceable();
    const starting = this.thread;
    try {
      const thread = await starting;
      const result = nextMessage<OpensslResult>(thread, this.limitMs);
      thread.postMessage(input);
      return await result;
    } catch (error) {
      this.thread = undefined;
      // Not awaited: a computation of OpenSSL ends before its thread does.
      void starting.then((thread) => thread.terminate()).catch(() => undefined);
      throw error;
    }
  }

  /** Starts a thread which the next check replaces after it has ended. */
  private replaceable(): Promise<Worker> {
    const starting = this.start();
    const forget = (): void => {
      if (this.thread === starting) this.thread = undefined;
    };
    void starting.then((thread) => thread.once('exit', forget)).catch(() => undefined);
    return starting;
  }

  /** Starts a thread. Resolves when it takes messages, so that the limit of a check excludes the start. */
  private async start(): Promise<Worker> {
    // Without the options of this process: a loader of TypeScript is not needed, and may not work in a thread.
    const thread = new Worker(this.script, { execArgv: [], env: {} });
    // An idle thread does not keep the process alive.
    thread.unref();
    await nextMessage(thread, START_LIMIT_MS);
    // Without a listener, an error of an idle thread would end the process.
    thread.on('error', () => undefined);
    return thread;
  }
}

/** Returns the next message of a thread. @throws OpensslTimeout; the error of the thread */
async function nextMessage<Message>(thread: Worker, limitMs: number): Promise<Message> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const messages: Message[] = await once(thread, 'message', { signal });
    const [message] = messages;
    if (message === undefined) throw new Error('The thread sent an empty message.');
    return message;
  } catch (error) {
    throw signal.aborted ? new OpensslTimeout(`The thread did not respond within ${limitMs} ms.`) : error;
  }
}
