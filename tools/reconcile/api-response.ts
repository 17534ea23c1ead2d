/** The parts of a problem document that are shown. */
interface Problem {
  readonly error_code: string;
  readonly detail: string;
}

/** Response of the API. */
export interface ApiResponse {
  readonly status: number;
  readonly text: string;
  /** Location header of a redirect. */
  readonly location: string | null;
}

const ADDRESS_HINT = 'Give the address of the API with --url or WAYBILL_URL.';

/** Returns an error for a request without a response. */
export function connectionError(baseUrl: string, error: unknown): Error {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const why = [code, cause instanceof Error ? cause.message : ''].filter(Boolean).join(': ');
  return new Error(`No response from ${baseUrl}${why && ` (${why})`}. Check that Waybill runs there. ${ADDRESS_HINT}`, {
    cause: error,
  });
}

/**
 * Returns the JSON of a 2xx response.
 * @throws Error with the reason and what to do
 */
export function readResponse(baseUrl: string, destinationId: string, { status, text, location }: ApiResponse): unknown {
  const body = parsed(text);
  if (status >= 200 && status < 300 && typeof body === 'object' && body !== null) return body;
  if (status >= 300 && status < 400)
    throw new Error(
      `${baseUrl} redirects to ${location ?? 'another address'}. The API key was not sent there. ${ADDRESS_HINT}`,
    );
  if (!isProblem(body)) throw new Error(`${baseUrl} is not the API of Waybill (HTTP ${status}). ${ADDRESS_HINT}`);
  switch (body.error_code) {
    case 'credentials_invalid':
      throw new Error(
        `Waybill at ${baseUrl} does not accept the API key in WAYBILL_API_KEY. The key is mistyped, deleted, or of another installation.`,
      );
    case 'principal_inactive':
      throw new Error(
        'The API key in WAYBILL_API_KEY belongs to an inactive bot user. Activate the bot user, or use another key.',
      );
    case 'not_found':
      throw new Error(
        `There is no event destination ${destinationId} in the account of this API key. GET /event_destinations lists the destinations.`,
      );
    default:
      throw new Error(
        `Waybill at ${baseUrl} returned an error (HTTP ${status}, ${body.error_code}): ${body.detail}${status >= 500 ? ' Try again.' : ''}`,
      );
  }
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'error_code' in body &&
    typeof body.error_code === 'string' &&
    'detail' in body &&
    typeof body.detail === 'string'
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
