import { expect, it } from 'vitest';
import { partsOfName, quotedIdentifier, quotedLiteral } from './sql-quoting.js';

it.each<[string, readonly string[]]>([
  ['orders', ['orders']],
  ['public.Orders', ['public', 'Orders']],
  ['"odd.schema"."a ""quoted"" name"', ['odd.schema', 'a "quoted" name']],
  ['public."x"', ['public', 'x']],
  ["o'rders; drop table x", ["o'rders; drop table x"]],
])('reads %s', (name, parts) => {
  expect(partsOfName(name)).toEqual(parts);
});

it.each(['', '.', 'a.', '.a', 'a..b', 'a.b.c', '"a', 'a"b', '""', '"a"b'])('refuses %s', (name) => {
  expect(() => partsOfName(name)).toThrow('is no name of a table');
});

it('quotes what would end an identifier or a literal', () => {
  expect(quotedIdentifier('a"b')).toBe('"a""b"');
  expect(quotedLiteral("a'b")).toBe("'a''b'");
  expect(quotedLiteral(String.raw`a\'b`)).toBe(String.raw` E'a\\''b'`);
  expect(() => quotedLiteral('\0')).toThrow('NUL');
});
