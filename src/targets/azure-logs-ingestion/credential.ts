import type {
  AccessToken,
  ClientSecretCredential,
  ClientSecretCredentialOptions,
  GetTokenOptions,
  TokenCredential,
} from '@azure/identity';
import { retryAfterMs } from '../retry-after.js';
import { socketCodeOf } from '../connection-errors.js';

type AdditionalPolicy = NonNullable<ClientSecretCredentialOptions['additionalPolicies']>[number];

/** What the token service answered instead of a token. Free of secrets: codes only. */
export interface TokenFailure {
  /** Its HTTP status; undefined where there was no answer. */
  readonly status?: number | undefined;
  /** The OAuth error, such as `invalid_client`. */
  readonly oauthError?: string | undefined;
  /** The first AADSTS number, such as 7000215. */
  readonly aadsts?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The socket's code where there was no answer. */
  readonly socketCode?: string | undefined;
}

/** Thrown in the place of the library's own errors, which are alike for a wrong secret and a failing service. */
export class TokenError extends Error {
  override readonly name = 'TokenError';

  constructor(readonly failure: TokenFailure) {
    super('The token service gave no token.');
  }
}

/**
 * Watches the token service's answers from inside the library's pipeline: its errors (`AuthenticationRequiredError`) have neither
 * the status nor the headers. Each credential has a watch of its own.
 */
export class TokenWatch {
  /** What went wrong last; undefined when nothing did. */
  failure: TokenFailure | undefined;

  /** @param timeoutMs longest that one call to the token service may take: the library passes no signal on to it */
  constructor(private readonly timeoutMs: number) {}

  /** The policy that watches, for the credential's `additionalPolicies`: next to the wire, before an answer is parsed. */
  readonly policy: AdditionalPolicy = {
    position: 'perRetry',
    policy: {
      name: 'waybillTokenWatch',
      sendRequest: async (request, next) => {
        request.timeout = this.timeoutMs;
        try {
          const response = await next(request);
          if (response.status >= 300) {
            this.failure = {
              status: response.status,
              retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
              ...oauthErrorOf(response.bodyAsText),
            };
          }
          return response;
        } catch (error) {
          this.failure = { socketCode: socketCodeOf(error) };
          throw error;
        }
      },
    },
  };
}

/** The OAuth error of an answer's body. https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
function oauthErrorOf(body: string | null | undefined): Pick<TokenFailure, 'oauthError' | 'aadsts'> {
  try {
    const parsed: unknown = JSON.parse(body ?? '');
    if (typeof parsed !== 'object' || parsed === null || !('error' in parsed)) return {};
    const codes: unknown = 'error_codes' in parsed ? parsed.error_codes : undefined;
    const first: unknown = Array.isArray(codes) ? codes[0] : undefined;
    return {
      oauthError: typeof parsed.error === 'string' ? parsed.error : undefined,
      aadsts: typeof first === 'number' ? first : aadstsIn(parsed),
    };
  } catch {
    return {};
  }
}

function aadstsIn(parsed: object): number | undefined {
  const description: unknown = 'error_description' in parsed ? parsed.error_description : undefined;
  const [, digits] = (typeof description === 'string' && /\bAADSTS(\d{4,8})\b/.exec(description)) || [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Gives the client its tokens, from the library's own cache, and says what the token service answered when there is none.
 *
 * The token is given out as already expired: the client then asks every time, which the cache answers, and keeps none itself. With
 * a token that it may keep, it refreshes two minutes ahead of expiry in a promise that nobody awaits; a token service that is down
 * for those minutes would end the process with an unhandled rejection.
 */
export class WatchedCredential implements TokenCredential {
  constructor(
    private readonly credential: ClientSecretCredential,
    private readonly watch: TokenWatch,
  ) {}

  /** @throws TokenError when the token service gives no token. */
  async getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken> {
    this.watch.failure = undefined;
    try {
      const { token } = await this.credential.getToken(scopes, options);
      return { token, expiresOnTimestamp: 0 };
    } catch {
      throw new TokenError(this.watch.failure ?? {});
    }
  }
}
