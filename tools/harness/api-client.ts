/** A 2xx response. */
export interface ApiResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The `Operation-Id` header: events carry it, so that each can be matched to the request that caused it. */
  readonly operationId: string;
}

/** Minimal client of Waybill's API. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    private readonly token: string,
  ) {}

  /** @throws Error with the problem document if the response is not 2xx */
  async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<ApiResponse> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        'service-version': '2',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      operationId: response.headers.get('operation-id') ?? '',
    };
  }

  /**
   * Returns the bytes of a file; null where there is none.
   * @throws Error if the response is neither 2xx nor 404
   */
  async file(path: string): Promise<Buffer | null> {
    const headers = { authorization: `Bearer ${this.token}`, 'service-version': '2' };
    const response = await fetch(`${this.baseUrl}${path}`, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${bytes.toString()}`);
    return bytes;
  }

  /** Creates a resource. Returns its id and the response. */
  async create(path: string, body: unknown): Promise<{ readonly id: string; readonly response: ApiResponse }> {
    const response = await this.send('POST', path, body);
    return { id: String(response.body.id), response };
  }
}
