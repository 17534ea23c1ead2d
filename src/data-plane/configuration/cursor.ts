import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { isStorable } from '../../bounds/storable.js';
import { invalidInput } from '../../problems/problem.js';

/** Largest transaction id of Postgres (xid8). */
const MAX_TRANSACTION = 2n ** 64n - 1n;

const transaction = boundedString(20)
  .regex(/^\d{1,20}$/)
  .refine((text) => BigInt(text) <= MAX_TRANSACTION);

const cursor = z.strictObject({
  kind: z.enum(['page', 'changes']),
  /** Identifies the database: transaction ids of another one mean nothing here. */
  database: boundedString(64),
  /** The account that the configuration is limited to; null for all. */
  accountId: boundedString(255).refine(isStorable).nullable(),
  /**
   * `changes`: the next change is of this transaction or a later one. `page`: the same, once the last page was read.
   */
  transaction,
  /** The resource before the next one, within the transaction or the pages. Empty: none. */
  resourceId: boundedString(255).refine(isStorable),
});

/** A position in the configuration: between two pages, or between two changes. */
export type Cursor = Readonly<z.infer<typeof cursor>>;

/** Most characters of a token. */
export const MAX_TOKEN_LENGTH = 1_024;

/** Returns a cursor as the token that clients send back. */
export function toToken(position: Cursor): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** @throws Problem `invalid_input` for a token that is no cursor of this kind */
export function readToken(token: string, kind: Cursor['kind'], pointer: string): Cursor {
  const result = cursor.safeParse(parsed(token));
  if (result.success && result.data.kind === kind) return result.data;
  throw invalidInput([{ pointer, detail: 'must be a token from a response of this API, unchanged' }]);
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return null;
  }
}
