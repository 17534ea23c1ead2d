/** A JSON object of a response. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A response of the API. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; an empty object without a body, and for a file. */
  readonly body: JsonObject;
  /** The body as it was received. */
  readonly text: string;
}

/** A client that sends any request, invalid ones too. */
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
  ): Promise<TestResponse> {
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
    const isFile = /^(application\/(x-ndjson|octet-stream)|text\/(csv|plain))/.test(
      response.headers.get('content-type') ?? '',
    );
    const parsed = text === '' || isFile ? {} : (JSON.parse(text) as JsonObject);
    return { status: response.status, headers: response.headers, body: parsed, text };
  }

  get(path: string, headers?: Readonly<Record<string, string | undefined>>): Promise<TestResponse> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown, headers?: Readonly<Record<string, string | undefined>>): Promise<TestResponse> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body: unknown, headers?: Readonly<Record<string, string | undefined>>): Promise<TestResponse> {
    return this.send('PATCH', path, body, headers);
  }

  delete(path: string, headers?: Readonly<Record<string, string | undefined>>): Promise<TestResponse> {
    return this.send('DELETE', path, undefined, headers);
  }

  /** Creates a resource. @throws Error unless the status is 201 */
  async create(path: string, body: unknown): Promise<Created> {
    const response = await this.post(path, body);
    if (response.status !== 201)
      throw new Error(`POST ${path} returned ${response.status}: ${JSON.stringify(response.body)}`);
    return { ...response.body, id: String(response.body.id), path: `${path}/${String(response.body.id)}` };
  }
}

/** The body of the response to a create, with the path of the new resource. */
export interface Created extends JsonObject {
  readonly id: string;
  readonly path: string;
}
