import pg from 'pg';
import { Problem } from '../../../problems/problem.js';
import type { Attributes, UniqueRule } from '../definition/definition.js';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = '23505';

/** Returns the Problem of a violated unique rule of the family; any other error unchanged. */
export function explainUnique(error: unknown, rules: readonly UniqueRule[], attributes: Attributes): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) return error;
  const rule = rules.find(({ index }) => index === error.constraint);
  return rule ? new Problem('conflict', rule.detail(attributes), { cause: error }) : error;
}
