import { NotFoundException } from '@nestjs/common';

/**
 * Returns the only row of a result.
 * @throws NotFoundException if there is none
 */
export function oneRow<Row>({ rows: [row] }: { readonly rows: readonly Row[] }, what: string): Row {
  if (row === undefined) throw new NotFoundException(`There is no such ${what}.`);
  return row;
}
