import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RESERVED_PRINCIPAL_IDS, reservedPrincipalErrors, UNSEEN_CHARACTERS } from './system-context.js';

const unseen = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(character));

it('refuses a reserved id whatever its case and form, and with unseen characters between', () => {
  const fullWidth = (text: string) =>
    text.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
  const forms = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    fullWidth,
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...RESERVED_PRINCIPAL_IDS),
      fc.array(fc.tuple(forms, fc.array(fc.constantFrom(...unseen), { maxLength: 2 })), { minLength: 8, maxLength: 8 }),
      (id, parts) => {
        const given = parts.map(([form, between], index) => form(id[index] ?? '') + between.join('')).join('');
        expect(reservedPrincipalErrors({ id: given, subject: 'x' }).map(({ pointer }) => pointer)).toEqual(['/id']);
      },
    ),
  );
});

it.each(['systems', 'my-system', 'unknown-user', 'sýstem', 'system-1', 'unbekannt', '-'])('accepts the id %j', (id) => {
  expect(reservedPrincipalErrors({ id, subject: 'x' })).toEqual([]);
});

it('knows every character that is not seen', () => {
  const known = new RegExp(`[${UNSEEN_CHARACTERS}]`, 'u');
  // The compatibility form of some is another one of them.
  expect(unseen.filter((character) => !known.test(character) && !known.test(character.normalize('NFKC')))).toEqual([]);
});
