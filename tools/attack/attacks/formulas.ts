import type { Attack } from '../attack.js';

/** What a spreadsheet skips at the beginning of a cell. */
const starts = [
  '',
  ' ',
  '\t',
  '\r',
  '\n',
  '\u200b',
  '\ufeff',
  '\u00a0',
  '\u2060',
  '\u202e',
  '\u00ad',
  '\u2028',
  '\u0301',
  'a;',
  'a\t',
  'a\r\n',
  'a";',
  'a","',
];
const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(1)', '＝1+1', '＋1', '－1', '＠SUM(1)'];

/** Reads RFC 4180: every quoted cell of a file. */
function cellsOf(csv: string): readonly string[] {
  return [...csv.matchAll(/"((?:[^"]|"")*)"(?:,|\r\n)/g)].map(([, cell = '']) => cell.replaceAll('""', '"'));
}

/** The parts of a cell in a reader that takes a semicolon or a tab for the separator as well. */
const partsOf = (cell: string) => [cell, ...cell.split(/[;\t\r\n]/)];
const isFormula = (part: string) => /^[\s\p{C}\p{Z}\p{M}"]*[=+\-@＝＋－＠]/u.test(part);

/** Values that a spreadsheet would run, in every member that an export has as a cell. */
export const formulasInCsv: Attack = {
  name: 'formulas',
  title: 'values that a spreadsheet takes for formulas, in a CSV export',
  async run(environment) {
    const { admin } = await environment.account();
    await environment.resourceType(admin, 'cell', { changes: 'given' });
    const values = starts.flatMap((start) => formulas.map((formula) => `${start}${formula}`));
    const events = values.map((value) => ({
      type: 'cell_updated.v0',
      resource_id: value,
      object: { value, [value]: value },
      changes: { before: { value }, after: { [value]: value } },
      principal: { id: value, subject: value },
      request: { id: value, ip: value, user_agent: value },
      repaired: { by: value, reason: value, at: new Date().toISOString() },
    }));
    let accepted = 0;
    for (const event of events) {
      const { status } = await admin.send('POST', '/events', { events: [event] });
      if (status === 202) accepted += 1;
    }
    const { text } = await admin.send('GET', '/events/export?format=csv');
    const cells = cellsOf(text);
    const dangerous = cells.filter((cell) => partsOf(cell).some(isFormula));
    environment.note(`${accepted} of ${events.length} events were accepted; ${cells.length} cells`);
    const columns = cellsOf(text.slice(0, text.indexOf('\r\n') + 2)).length;
    environment.expect(accepted > 0, 'an event was accepted');
    environment.expect(
      columns > 0 && cells.length >= (accepted + 1) * columns,
      `the export has each event, in ${columns} quoted cells`,
    );
    environment.expect(
      dangerous.length === 0,
      `${dangerous.length} cells run a formula, such as ${JSON.stringify(dangerous[0])}`,
    );
  },
};
