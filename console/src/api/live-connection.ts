import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ConnectionError, errorOf, isSignedOut } from './problem.js';
import { open } from './request.js';

/** Longest time without data or heartbeat, in milliseconds. The server sends a heartbeat every 3 seconds. */
const SILENCE_MS = 8_000;

const silence = new ConnectionError(
  `Waybill has sent nothing for ${SILENCE_MS / 1_000} seconds: it hangs, or the connection is broken.`,
);

/** Time for which a hidden page keeps its connection, in milliseconds. A browser has six connections to a host. */
const HIDDEN_MS = 30_000;

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** State of the connection of live data. */
export type LiveState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The person paused it, or left the page. */
  | { readonly kind: 'paused' }
  /** The connection failed, until one is live. `retryAt`: when the next try is made, in milliseconds since 1970. */
  | { readonly kind: 'waiting'; readonly error: unknown; readonly retryAt: number };

/**
 * A connection of live data that is repeated after it ends, later and later, until it is closed. While the page is
 * hidden, there is no connection.
 */
export class LiveConnection {
  private state: LiveState = { kind: 'connecting' };
  private readonly listeners = new Set<() => void>();
  private control = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  private pausedByPerson = false;
  private failures = 0;
  private users = 0;
  private heardAt: number | null = null;

  constructor(
    private readonly path: string,
    private readonly onEvent: (event: EventSourceMessage) => void,
    /** Called with the error when the session has ended. */
    private readonly onSignedOut: (error: unknown) => void,
  ) {}

  readonly getState = (): LiveState => this.state;

  /** Returns when the last event or heartbeat of a live connection came, in milliseconds since 1970; null before. */
  readonly getHeardAt = (): number | null => this.heardAt;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Opens the connection for a part of the page. @returns a function that closes it after its last user */
  open(): () => void {
    this.users += 1;
    if (this.users === 1) {
      document.addEventListener('visibilitychange', this.onVisibility);
      if (!this.pausedByPerson) this.connect();
      if (document.hidden) this.onVisibility();
    }
    return () => {
      this.users -= 1;
      if (this.users > 0) return;
      document.removeEventListener('visibilitychange', this.onVisibility);
      clearTimeout(this.hiddenTimer);
      this.disconnect();
    };
  }

  /** Closes the connection until `resume`. */
  readonly pause = (): void => {
    this.pausedByPerson = true;
    this.disconnect();
  };

  /** Connects at once: after a pause, or instead of waiting. */
  readonly resume = (): void => {
    this.pausedByPerson = false;
    this.failures = 0;
    this.connect();
  };

  private readonly onVisibility = (): void => {
    clearTimeout(this.hiddenTimer);
    if (this.pausedByPerson) return;
    if (document.hidden) this.hiddenTimer = setTimeout(() => this.disconnect(), HIDDEN_MS);
    else if (this.state.kind === 'paused' || this.state.kind === 'waiting') this.resume();
  };

  private connect(): void {
    const { state } = this;
    this.disconnect();
    const control = new AbortController();
    this.control = control;
    this.setState(state.kind === 'waiting' ? { ...state, retryAt: Date.now() } : { kind: 'connecting' });
    const listen = (): void => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => control.abort(silence), SILENCE_MS);
      // Before the first event nothing new is known.
      if (this.state.kind === 'live') this.heardAt = Date.now();
    };
    listen();
    const take = (event: EventSourceMessage): void => {
      if (control.signal.aborted) return;
      this.failures = 0;
      this.heardAt = Date.now();
      if (this.state.kind !== 'live') this.setState({ kind: 'live' });
      this.onEvent(event);
    };
    void readEventStream(this.path, control.signal, take, listen).then(
      () => this.onEnd(control, null),
      (error: unknown) => this.onEnd(control, error),
    );
  }

  /** Plans the next try after a connection has ended by itself; `disconnect` has replaced it otherwise. */
  private onEnd(control: AbortController, error: unknown): void {
    if (control !== this.control) return;
    clearTimeout(this.timer);
    if (isSignedOut(error)) {
      this.setState({ kind: 'paused' });
      this.onSignedOut(error);
      return;
    }
    const limit = Math.min(FIRST_DELAY_MS * 2 ** this.failures, LONGEST_DELAY_MS);
    const delay = Math.round(limit / 2 + (Math.random() * limit) / 2);
    this.failures += 1;
    this.setState({ kind: 'waiting', error, retryAt: Date.now() + delay });
    this.timer = setTimeout(() => this.connect(), delay);
  }

  private disconnect(): void {
    clearTimeout(this.timer);
    const { control } = this;
    this.control = new AbortController();
    control.abort();
    this.setState({ kind: 'paused' });
  }

  private setState(state: LiveState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/**
 * Reads a stream of server-sent events until it ends. An `EventSource` would neither send `Service-Version` nor show
 * the problem document of a refusal.
 * @param onEvent called with each event, in order
 * @param onActivity called whenever something arrives, a heartbeat too
 * @throws ProblemError for a refusal, ConnectionError when no stream of the API begins or its connection fails
 */
async function readEventStream(
  path: string,
  signal: AbortSignal,
  onEvent: (event: EventSourceMessage) => void,
  onActivity: () => void,
): Promise<void> {
  const response = await open('GET', path, { signal }, 'text/event-stream');
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw errorOf(response, await response.text());
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const parser = createParser({ onEvent });
  for (;;) {
    const chunk = await reader?.read().catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new ConnectionError('The connection of the live data broke.', { cause: error });
    });
    if (chunk === undefined || chunk.done) return;
    onActivity();
    parser.feed(chunk.value);
  }
}
