/** A successful response. */
export interface ApiResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The `Operation-Id` header: events carry it, so that each can be matched to the request that caused it. */
  readonly operationId: string;
}

/** A client of Waybill's API, as anyone would write it. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    private readonly token: string,
  ) {}

  /** @throws Error with the problem document when the answer is not a success */
  async send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<ApiResponse> {
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
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      operationId: response.headers.get('operation-id') ?? '',
    };
  }

  /** Creates a resource and gives its id. */
  async create(
    path: string,
    body: unknown,
  ): Promise<{ readonly id: string; readonly response: ApiResponse }> {
    const response = await this.send('POST', path, body);
    return { id: String(response.body.id), response };
  }
}
