/** What the API says that it refuses: the part of its problem documents that is shown. */
interface Problem {
  readonly error_code: string;
  readonly detail: string;
}

/** An answer to a request of ours. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** Where a redirect leads to. */
  readonly location: string | null;
}

const TELL_ADDRESS = 'Give the address of the API with --url or WAYBILL_URL.';

/** Why no answer came, for people. */
export function noAnswer(baseUrl: string, error: unknown): Error {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const why = [code, cause instanceof Error ? cause.message : ''].filter(Boolean).join(': ');
  return new Error(
    `Nothing answers at ${baseUrl}${why && ` (${why})`}. Is Waybill running there? ${TELL_ADDRESS}`,
    { cause: error },
  );
}

/**
 * The JSON of a good answer.
 * @throws Error that says in plain words why there is none, and what to do
 */
export function readAnswer(
  baseUrl: string,
  destinationId: string,
  { status, text, location }: ApiAnswer,
): unknown {
  const body = parsed(text);
  if (status >= 200 && status < 300 && typeof body === 'object' && body !== null) return body;
  if (status >= 300 && status < 400)
    throw new Error(
      `${baseUrl} sends on to ${location ?? 'another address'}, where the API key was not sent. ${TELL_ADDRESS}`,
    );
  if (!isProblem(body))
    throw new Error(`What answers at ${baseUrl} is not the API of Waybill (HTTP ${status}). ${TELL_ADDRESS}`);
  switch (body.error_code) {
    case 'credentials_invalid':
      throw new Error(
        `Waybill at ${baseUrl} does not know the API key in WAYBILL_API_KEY: it is mistyped, deleted, or of another installation.`,
      );
    case 'principal_inactive':
      throw new Error(
        'The API key in WAYBILL_API_KEY is of a bot that is inactive. Activate it, or take another key.',
      );
    case 'not_found':
      throw new Error(
        `There is no event destination ${destinationId} in the account of this API key. GET /event_destinations lists those that there are.`,
      );
    default:
      throw new Error(
        `Waybill at ${baseUrl} could not tell (HTTP ${status}, ${body.error_code}): ${body.detail}${status >= 500 ? ' Try again.' : ''}`,
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
