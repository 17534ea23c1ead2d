import { TestClient, type TestResponse } from './api-client.js';

/** A client with the session cookie of a browser instead of an API key. */
export class BrowserSession extends TestClient {
  constructor(
    baseUrl: string,
    /** Name and value of the cookie. */
    readonly cookie: string,
  ) {
    super(baseUrl, null);
  }

  override send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<TestResponse> {
    return super.send(method, path, body, { cookie: this.cookie, ...headers });
  }
}

/** Returns the name and the value of the cookie that a response sets. @throws Error when it sets none */
export function cookieOf({ headers, text }: TestResponse): string {
  const [pair] = (headers.get('set-cookie') ?? '').split(';');
  if (!pair) throw new Error(`The response sets no cookie: ${text}`);
  return pair;
}

/** Signs in as a browser does, and returns the session. */
export async function signIn(
  baseUrl: string,
  credentials: { readonly token: string | null } | { readonly code: unknown },
): Promise<BrowserSession> {
  const response = await new TestClient(baseUrl, null).post('/session', credentials, {
    'sec-fetch-site': 'same-origin',
  });
  return new BrowserSession(baseUrl, cookieOf(response));
}
