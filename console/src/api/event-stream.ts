import { ConnectionError, errorOf } from './problem.js';
import { open } from './request.js';

/** One server-sent event. */
export interface StreamEvent {
  /** Its name; `message` without one. */
  readonly event: string;
  /** Its data, as it was received. */
  readonly data: string;
}

/**
 * Reads a stream of server-sent events until it ends. An `EventSource` would neither send `Service-Version` nor show
 * the problem document of a refusal.
 * @param onEvent called with each event, in order
 * @param onActivity called whenever something arrives, a heartbeat too
 * @throws ProblemError for a refusal, ConnectionError when no stream of the API begins or its connection fails
 */
export async function readEventStream(
  path: string,
  signal: AbortSignal,
  onEvent: (event: StreamEvent) => void,
  onActivity: () => void,
): Promise<void> {
  const response = await open('GET', path, { signal }, 'text/event-stream');
  if (!response.ok || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw errorOf(response, await response.text());
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const parse = createStreamParser(onEvent);
  for (;;) {
    const chunk = await reader?.read().catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new ConnectionError('The connection of the live data broke.', { cause: error });
    });
    if (chunk === undefined || chunk.done) return;
    onActivity();
    parse(chunk.value);
  }
}

/**
 * Returns a function that takes the text of a stream in pieces of any length.
 * @param onEvent called with each complete event (https://html.spec.whatwg.org/multipage/server-sent-events.html)
 */
export function createStreamParser(onEvent: (event: StreamEvent) => void): (piece: string) => void {
  let rest = '';
  let event = '';
  let data: string[] = [];

  function takeLine(line: string): void {
    if (line === '') {
      if (data.length > 0) onEvent({ event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }

  return (piece) => {
    rest += piece;
    // A carriage return at the end may be the first half of a line break.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(line);
  };
}
