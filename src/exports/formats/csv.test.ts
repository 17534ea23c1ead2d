import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../events/envelope/json-object.js';
import type { StoredEvent } from '../../events/envelope/stored-event.js';
import { csv } from './csv.js';
import type { ExportedDelivery } from './line-format.js';

const createdAt = new Date('2026-11-01T10:00:00.000Z');

function eventBy(subject: string): StoredEvent {
  const payload = {
    event_id: 'evt_1',
    event_type: 'ip_policy_updated.v0',
    event_timestamp: createdAt.toISOString(),
    account_id: 'acct_1',
    resource_id: 'ipp_1',
    principal: { id: 'usr_1', subject, credential: { id: 'ak_1', uri: 'https://example.com/api_keys/ak_1' } },
    version: 2,
    object: { id: 'ipp_1', description: 'a "b", c\n' },
    changes: { before: { description: '' }, after: { description: 'a' } },
    request: { operation_id: 'op_1', ip: '192.0.2.1', user_agent: null },
  };
  const json = JSON.stringify(payload);
  return { id: 'evt_1', accountId: 'acct_1', type: payload.event_type, resourceId: 'ipp_1', payload: json, createdAt };
}

const delivery: ExportedDelivery = {
  id: 7,
  eventId: 'evt_1',
  destinationId: 'ed_1',
  state: 'rejected',
  sequence: 41,
  epoch: 1,
  error: { code: 'TooLarge', message: '-1 bytes' },
  createdAt,
  redeliveredAt: null,
  finishedAt: createdAt,
  backfillId: null,
  projected: false,
  integrity: null,
};

/** Reads RFC 4180: the cells of each row. */
function rowsOf(text: string): string[][] {
  const rows = text.split('\r\n').slice(0, -1);
  return rows.map((row) =>
    [...row.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"')),
  );
}

describe('a CSV file', () => {
  it('has a header and a row for each event', () => {
    expect(csv.head(false) + csv.line(eventBy('Ann'), null)).toBe(
      '"event_id","event_type","event_timestamp","occurred_at","resource_id","version","principal_id","principal_subject","credential_id","via_credential_id","operation_id","ip","user_agent","repaired","changes","object"\r\n' +
        '"evt_1","ip_policy_updated.v0","2026-11-01T10:00:00.000Z","","ipp_1","2","usr_1","Ann","ak_1","","op_1","192.0.2.1","","","{""before"":{""description"":""""},""after"":{""description"":""a""}}","{""id"":""ipp_1"",""description"":""a \\""b\\"", c\\n""}"\r\n',
    );
  });

  it('has the number and the state of the delivery to a destination', () => {
    const [head = [], row = []] = rowsOf(csv.head(true) + csv.line(eventBy('Ann'), delivery));
    expect(row).toHaveLength(head.length);
    expect(Object.fromEntries(head.map((name, index) => [name, row[index]]))).toMatchObject({
      sequence: '41',
      epoch: '1',
      state: 'rejected',
      finished_at: '2026-11-01T10:00:00.000Z',
      error_code: 'TooLarge',
      error_message: "'-1 bytes",
      projected: 'false',
    });
  });

  it('has the key that published an event apart from the key of its principal, as the JSON has', () => {
    const ofPrincipal = (principal: object): readonly (string | undefined)[] => {
      const whole = eventBy('Ann');
      const payload = { ...(JSON.parse(whole.payload) as JsonObject), principal };
      const line = csv.line({ ...whole, payload: JSON.stringify(payload) }, null);
      const [head = [], row = []] = rowsOf(csv.head(false) + line);
      return ['principal_id', 'credential_id', 'via_credential_id'].map((name) => row[head.indexOf(name)]);
    };
    const key = { id: 'ak_pub', uri: 'https://example.com/api_keys/ak_pub' };
    const published = { id: 'user-7', subject: 'Ada', credential: null, via: key };
    expect(ofPrincipal(published)).toEqual(['user-7', '', 'ak_pub']);
    expect(ofPrincipal({ id: 'usr_1', subject: 'Ann', credential: key })).toEqual(['usr_1', 'ak_pub', '']);
  });

  it('has what `fields` leave of an event: nothing, or the hash, where a value was', () => {
    const whole = eventBy('Ann');
    const cellsOf = (payload: object): Record<string, string | undefined> => {
      const line = csv.line({ ...whole, payload: JSON.stringify(payload) }, { ...delivery, projected: true });
      const [head = [], row = []] = rowsOf(csv.head(true) + line);
      expect(row).toHaveLength(head.length);
      return Object.fromEntries(head.map((name, index) => [name, row[index]]));
    };
    const { event_id, event_type, event_timestamp, account_id, version } = JSON.parse(whole.payload) as JsonObject;
    const fixed = { event_id, event_type, event_timestamp, account_id, version };
    expect(cellsOf(fixed)).toMatchObject({
      event_id: 'evt_1',
      resource_id: '',
      version: '2',
      principal_id: '',
      credential_id: '',
      via_credential_id: '',
      operation_id: '',
      ip: '',
      changes: '',
      object: '',
      projected: 'true',
    });
    const hash = 'hmac-sha256:00';
    expect(cellsOf({ ...fixed, resource_id: hash, object: { id: 'ipp_1' }, principal: hash })).toMatchObject({
      resource_id: hash,
      principal_id: hash,
      principal_subject: hash,
      credential_id: hash,
      via_credential_id: hash,
      object: '{"id":"ipp_1"}',
    });
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '＝1+1',
    '＠a',
    '﹦1',
    '\u22121',
    '\u200b=1',
    '\ufeff=1',
    '\u200b\ufeff +1',
    '\u2060-1',
    '\u00ad@a',
    '\u202e=1',
    '\0=1',
    '\u3164=1',
    '\u2800=1',
    '\u0301=1',
    '\u{e0020}=1',
    '\ufe0f=1',
  ])('makes text of the formula %j', (formula) => {
    const cell = rowsOf(csv.line(eventBy(formula), null))[0]?.[7] ?? '';
    expect([cell[0], cell.replaceAll("'", '')]).toEqual(["'", formula]);
  });

  it.each([
    'x;=1+1',
    'x;=1+1;y',
    'x; \ufeff=1',
    'x\n=1',
    'x\t@a',
    ';"=1"',
    ';;;-1',
    '\t\t=1',
    'x;\t=1',
    'x;"\u200b"=1',
    '=1;=1;=1',
  ])('has no formula where the file is read with another separator: %j', (text) => {
    const line = csv.line(eventBy(text), null);
    for (const separator of [';', '\t']) {
      expect(cellsReadWith(line, separator).filter(isFormula), separator).toEqual([]);
    }
  });

  it('keeps the value of JSON, also with a formula in it', () => {
    const whole = eventBy('Ann');
    const object = { id: 'ipp_1', description: 'x;=1+1;\u200b-1\n=2', list: ['a;b', '=1', '\\;=1'] };
    const line = csv.line({ ...whole, payload: JSON.stringify({ ...JSON.parse(whole.payload), object }) }, null);
    expect(JSON.parse(rowsOf(line)[0]?.at(-1) ?? '')).toEqual(object);
    for (const separator of [';', '\t']) expect(cellsReadWith(line, separator).filter(isFormula)).toEqual([]);
  });

  it('takes time in proportion to the length of a text', () => {
    const cost = (text: string): number => {
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        csv.line(eventBy(text), null);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    const plain = cost('x'.repeat(40_000));
    for (const unit of [';', '\t', '\n', ' ', '\u200b', ';"', ';\u200b']) {
      const text = unit.repeat(40_000 / unit.length);
      expect(cost(text), JSON.stringify(unit)).toBeLessThan(100 * plain + 20);
    }
  });

  it('keeps any other text as it is, and separates the cells of every text', () => {
    const starts = fc.constantFrom('', '=', '+', '-', '@', '"', ',', ';', ';=', ';"=', '\t', "'", 'a');
    const units = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom(';', '\t', '\n', '\r', '"', ',', '=', '-', ' ', '\u200b', '\ufeff'),
    );
    fc.assert(
      fc.property(starts, fc.array(units), (start, rest) => {
        // The reader of this test splits rows at CRLF.
        const subject = `${start}${rest.join('')}`.replaceAll('\r\n', '');
        const line = csv.line(eventBy(subject), null);
        const [row = []] = rowsOf(line);
        expect(row).toHaveLength(16);
        const cell = row[7] ?? '';
        for (const read of [row, cellsReadWith(line, ';'), cellsReadWith(line, '\t')])
          expect(read.filter(isFormula)).toEqual([]);
        expect(cell.replaceAll("'", '')).toBe(subject.replaceAll("'", ''));
        if (/^[a-z][^;\t\r\n]*$/i.test(subject)) expect(cell).toBe(subject);
      }),
    );
  });
});

const INVISIBLE = /^[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*/u;

/** Whether a spreadsheet may run the text of a cell, by what the text becomes in the compatibility form. */
function isFormula(cell: string): boolean {
  return /^[=+\-@\u2212]/.test(cell.normalize('NFKC').replace(INVISIBLE, ''));
}

/**
 * Reads a line as a spreadsheet does that takes another separator: a quote counts only at the beginning of a cell, and
 * what follows the closing quote belongs to the cell.
 */
function cellsReadWith(line: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  let begins = true;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (quoted && character === '"') {
      if (line[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else {
        quoted = false;
      }
    } else if (!quoted && (character === separator || character === '\r' || character === '\n')) {
      cells.push(cell);
      cell = '';
      begins = true;
      continue;
    } else if (begins && character === '"') {
      quoted = true;
    } else {
      cell += character;
    }
    begins = false;
  }
  return [...cells, cell];
}
