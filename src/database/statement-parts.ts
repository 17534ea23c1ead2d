import { sql, type RawBuilder } from 'kysely';

/** Returns the name of a statement that is part of another one, by its index: a later part can select from it. */
export function partName(index: number): RawBuilder<unknown> {
  return sql.ref(`change_${index}`);
}

/** Returns statements as the parts of one statement, to follow `with`. */
export function asParts(statements: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(statements.map((statement, index) => sql`${partName(index)} as (${statement})`));
}
