import type {
  AccessToken,
  ClientSecretCredential,
  ClientSecretCredentialOptions,
  GetTokenOptions,
  TokenCredential,
} from '@azure/identity';
import { socketCodeOf } from '../connection-errors.js';
import { retryAfterMs } from '../retry-after.js';
import { untilAborted } from '../until-aborted.js';

type AdditionalPolicy = NonNullable<ClientSecretCredentialOptions['additionalPolicies']>[number];

/** The token service's response without a token. Holds codes only, no secrets. */
export interface TokenFailure {
  /** The HTTP status; undefined without a response. */
  readonly status?: number | undefined;
  /** The OAuth error, such as `invalid_client`. */
  readonly oauthError?: string | undefined;
  /** The first AADSTS number, such as 7000215. */
  readonly aadsts?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The socket's error code, without a response. */
  readonly socketCode?: string | undefined;
}

/** Thrown instead of the library's errors, which do not distinguish a wrong secret from a failing service. */
export class TokenError extends Error {
  override readonly name = 'TokenError';

  constructor(readonly failure: TokenFailure) {
    super('The token service issued no token.');
  }
}

/**
 * Records failed responses of the token service from a pipeline policy: the library's `AuthenticationRequiredError` has
 * neither status nor headers. One instance serves one credential.
 */
export class TokenErrorPolicy {
  /** The last failure; undefined without one. */
  failure: TokenFailure | undefined;

  /**
   * @param timeoutMs timeout of a call to the token service. The library's timeout ends with the headers. A compressed
   * body that breaks off would never end, and each later call would wait for the same promise.
   */
  constructor(private readonly timeoutMs: number) {}

  /** For the credential's `additionalPolicies`; it runs before the library parses a response. */
  readonly policy: AdditionalPolicy = {
    position: 'perRetry',
    policy: {
      name: 'waybillTokenErrors',
      sendRequest: async (request, next) => {
        const signal = AbortSignal.timeout(this.timeoutMs);
        request.abortSignal = signal;
        try {
          const response = await untilAborted(next(request), signal);
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

/**
 * Reads the OAuth error of a response's body. https://learn.microsoft.com/entra/identity-platform/reference-error-codes
 */
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
 * Provides tokens from the library's cache, and throws the token service's failure when there is none.
 *
 * Each token is marked as expired, so that the client keeps none and asks the cache each time. Otherwise the client
 * would refresh it two minutes before its expiry in a promise that is never awaited. A token service that is down would
 * then end the process with an unhandled rejection.
 */
export class ReportingCredential implements TokenCredential {
  constructor(
    private readonly credential: ClientSecretCredential,
    private readonly errors: TokenErrorPolicy,
  ) {}

  /** @throws TokenError when the token service issues no token */
  async getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken> {
    this.errors.failure = undefined;
    try {
      const { token } = await this.credential.getToken(scopes, options);
      return { token, expiresOnTimestamp: 0 };
    } catch {
      throw new TokenError(this.errors.failure ?? {});
    }
  }
}
