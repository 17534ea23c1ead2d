import { describe, expect, it } from 'vitest';
import { readOptions } from './options.js';

const environment = { WAYBILL_API_KEY: 'key' };

describe('the command line of a reconciliation', () => {
  it('needs a destination, an export and a key', () => {
    expect(readOptions(['--destination', 'ed_1', 'a.ndjson', 'b.ndjson'], environment)).toEqual({
      destination: 'ed_1',
      files: ['a.ndjson', 'b.ndjson'],
      url: 'http://localhost:4700',
      key: 'key',
      from: 1,
      exportedAt: null,
      json: false,
    });
  });

  it.each([
    [['a.ndjson'], environment, '--destination is missing'],
    [['--destination', 'ed_1'], environment, 'the export is missing'],
    [['--destination', 'ed_1', '-'], {}, 'WAYBILL_API_KEY is not set'],
    [['--destination', 'ed_1', '-', '--from', '0'], environment, '--from takes'],
    [['--destination', 'ed_1', '-', '--exported-at', 'noon'], environment, '--exported-at takes'],
    [['--destination', 'ed_1', '-', '--url', 'here'], environment, '--url takes'],
    [['--destination', 'ed_1', '-', '--fast'], environment, '--fast'],
  ])('refuses %j', (args, env, message) => {
    expect(() => readOptions(args, env)).toThrow(message);
  });
});
