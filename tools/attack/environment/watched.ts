import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Requests for one path that were sent one after the other. */
export interface WatchedRequests {
  readonly longestMs: number;
  /** Number of responses by status; 0 without a response. */
  readonly statuses: Readonly<Record<number, number>>;
}

/** What others saw during an attack. */
export interface Watched {
  /** `GET /livez`, as an orchestrator asks it. */
  readonly live: WatchedRequests;
  /** A read of a quiet account. */
  readonly neighbour: WatchedRequests;
}

const entry = fileURLToPath(new URL('../processes/watch.js', import.meta.url));

/** The process that watches the service. */
export class Watch {
  private readonly ended = new AbortController();

  constructor(private readonly child: ChildProcess) {
    child.once('exit', () => this.ended.abort(new Error('The process that watches the service has ended.')));
  }

  /** @param token API key of the quiet account */
  static open(baseUrl: string, token: string): Watch {
    return new Watch(fork(entry, [baseUrl, token]));
  }

  /** Returns the requests since the last call. @throws AbortError when the process ends without an answer */
  async take(): Promise<Watched> {
    this.child.send('take');
    const [watched] = (await once(this.child, 'message', { signal: this.ended.signal })) as [Watched];
    return watched;
  }

  /** Ends the process, unless it has ended. */
  async close(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (child.connected) child.disconnect();
    await ended;
  }
}
