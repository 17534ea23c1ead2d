import { once } from 'node:events';
import { Worker, type ResourceLimits } from 'node:worker_threads';

const START_LIMIT_MS = 30_000;

/** What a thread runs, and its limits. */
export interface ThreadSettings {
  /** Its code: it posts a message when it takes tasks, and then one message for each task. */
  readonly script: URL;
  /** Longest task, in milliseconds. */
  readonly limitMs: number;
  /** Its memory, which is not that of the process. A thread that exceeds it fails. */
  readonly memory?: ResourceLimits;
}

/** Thrown when a task takes too long. */
export class ThreadTimeout extends Error {
  override readonly name = 'ThreadTimeout';
}

/**
 * A thread for tasks whose duration depends on what a client sends, and which nothing else can interrupt. It starts
 * with the first task, and runs one after another. A thread that exceeds the limit is ended, and the next task starts
 * another one.
 */
export class DeadlineThread<Task, Result> {
  /** Undefined while there is none. */
  private thread: Promise<Worker> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly settings: ThreadSettings) {}

  /** Runs a task. @throws ThreadTimeout; Error when the thread fails */
  run(task: Task): Promise<Result> {
    const result = this.last.then(() => this.runNow(task));
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread. A later task starts another one. */
  async close(): Promise<void> {
    const thread = await this.thread?.catch(() => undefined);
    this.thread = undefined;
    await thread?.terminate();
  }

  private async runNow(task: Task): Promise<Result> {
    this.thread ??= this.replaceable();
    const starting = this.thread;
    try {
      const thread = await starting;
      const result = nextMessage<Result>(thread, this.settings.limitMs);
      thread.postMessage(task);
      return await result;
    } catch (error) {
      this.thread = undefined;
      // Not awaited: a computation of native code ends before its thread does.
      void starting.then((thread) => thread.terminate()).catch(() => undefined);
      throw error;
    }
  }

  /** Starts a thread which the next task replaces after it has ended. */
  private replaceable(): Promise<Worker> {
    const starting = this.start();
    const forget = (): void => {
      if (this.thread === starting) this.thread = undefined;
    };
    void starting.then((thread) => thread.once('exit', forget)).catch(() => undefined);
    return starting;
  }

  /** Starts a thread. Resolves when it takes tasks, so that the limit of a task excludes the start. */
  private async start(): Promise<Worker> {
    const { script, memory } = this.settings;
    // Without the options of this process: a loader of TypeScript is not needed, and may not work in a thread.
    const thread = new Worker(script, { execArgv: [], env: {}, ...(memory && { resourceLimits: memory }) });
    // An idle thread does not keep the process alive.
    thread.unref();
    await nextMessage(thread, START_LIMIT_MS);
    // Without a listener, an error of an idle thread would end the process.
    thread.on('error', () => undefined);
    return thread;
  }
}

/** Returns the next message of a thread. @throws ThreadTimeout; the error of the thread */
async function nextMessage<Message>(thread: Worker, limitMs: number): Promise<Message> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const messages: Message[] = await once(thread, 'message', { signal });
    const [message] = messages;
    if (message === undefined) throw new Error('The thread sent an empty message.');
    return message;
  } catch (error) {
    throw signal.aborted ? new ThreadTimeout(`The thread did not respond within ${limitMs} ms.`) : error;
  }
}
