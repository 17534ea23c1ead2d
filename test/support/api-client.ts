/** A JSON object, whose members a test holds against what it expects. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An answer as a test looks at it. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; an empty object where there is none. */
  readonly body: JsonObject;
  /** The body as it came. */
  readonly text: string;
}

/** A client that sends what a test says, wrong things too. */
export class TestClient {
  constructor(
    readonly baseUrl: string,
    readonly token: string | null,
  ) {}

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<TestAnswer> {
    const all = {
      authorization: this.token === null ? undefined : `Bearer ${this.token}`,
      'service-version': '2',
      'content-type': body === undefined ? undefined : 'application/json',
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const response = await fetch(path.startsWith('http') ? path : `${this.baseUrl}${path}`, {
      method,
      headers: Object.fromEntries(given),
      redirect: 'manual',
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as JsonObject);
    return { status: response.status, headers: response.headers, body: parsed, text };
  }

  get(path: string, headers?: Readonly<Record<string, string | undefined>>): Promise<TestAnswer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown, headers?: Readonly<Record<string, string | undefined>>): Promise<TestAnswer> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body: unknown, headers?: Readonly<Record<string, string | undefined>>): Promise<TestAnswer> {
    return this.send('PATCH', path, body, headers);
  }

  delete(path: string, headers?: Readonly<Record<string, string | undefined>>): Promise<TestAnswer> {
    return this.send('DELETE', path, undefined, headers);
  }

  /** Creates a resource, which must succeed, and gives it. */
  async create(path: string, body: unknown): Promise<Created> {
    const answer = await this.post(path, body);
    if (answer.status !== 201)
      throw new Error(`POST ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return { ...answer.body, id: String(answer.body.id), path: `${path}/${String(answer.body.id)}` };
  }
}

/** What a create has answered, with the path of the new resource. */
export interface Created extends JsonObject {
  readonly id: string;
  readonly path: string;
}
