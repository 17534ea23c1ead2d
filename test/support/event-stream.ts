/** A server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A stream of server-sent events over HTTP. */
export class EventStream {
  private text = '';
  private readonly decoder = new TextDecoder();

  private constructor(
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly controller: AbortController,
    readonly response: Response,
  ) {}

  /** Opens a stream. @throws Error with the body of a response that is none */
  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
    const controller = new AbortController();
    const response = await fetch(url, { headers, signal: controller.signal });
    const { body } = response;
    if (!response.ok || body === null) throw new Error(`${response.status}: ${await response.text()}`);
    return new EventStream(body.getReader(), controller, response);
  }

  /** Returns the next event; null when the stream has ended. */
  async next(): Promise<ServerEvent | null> {
    for (;;) {
      const end = this.text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await this.reader.read();
        if (done) return null;
        this.text += this.decoder.decode(value, { stream: true });
        continue;
      }
      const block = this.text.slice(0, end);
      this.text = this.text.slice(end + 2);
      const [, event] = /^event: (.*)$/m.exec(block) ?? [];
      if (event === undefined) continue;
      return { event, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') as ServerEvent['data'] };
    }
  }

  /** Reads until an event passes. @throws Error when the stream ends before */
  async until(passes: (event: ServerEvent) => boolean): Promise<ServerEvent> {
    for (;;) {
      const event = await this.next();
      if (event === null) throw new Error('The stream has ended.');
      if (passes(event)) return event;
    }
  }

  /** Reads until the end of the stream. */
  async ended(): Promise<void> {
    while ((await this.next()) !== null);
  }

  /** Closes the connection. */
  close(): void {
    this.controller.abort();
  }
}
