import { afterEach, describe, expect, it, vi } from 'vitest';
import { reconcileCommand, reconcileOptions } from './options.js';

afterEach(() => vi.unstubAllEnvs());

function parse(args: readonly string[], key = 'key') {
  const command = reconcileCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return reconcileOptions(command.parse(args, { from: 'user' }), key);
}

const required = ['--destination', 'ed_1', '-'];

describe('the options of a reconciliation', () => {
  it('are a destination and files, with defaults for the rest', () => {
    vi.stubEnv('WAYBILL_URL', '');
    expect(parse(['--destination', 'ed_1', 'a.ndjson', 'b.ndjson'])).toEqual({
      destination: 'ed_1',
      files: ['a.ndjson', 'b.ndjson'],
      url: 'http://localhost:4700',
      key: 'key',
      from: 1,
      content: true,
      wait: 15,
    });
  });

  it('prefer --url to WAYBILL_URL', () => {
    vi.stubEnv('WAYBILL_URL', 'https://waybill.example.com/');
    expect(parse(required).url).toBe('https://waybill.example.com');
    expect(parse([...required, '--url', 'http://localhost:1']).url).toBe('http://localhost:1');
  });

  it.each([
    [['--destination', '', '-'], 'key', 'GET /event_destinations'],
    [required, '', 'WAYBILL_API_KEY is not set'],
    [required, 'secret\n', 'WAYBILL_API_KEY holds a space'],
    [[...required, '--from', '0'], 'key', 'whole number from 1'],
    [[...required, '--wait', '0'], 'key', 'whole number of minutes'],
    [[...required, '--exported-at', 'noon'], 'key', 'Use a time'],
    [[...required, '--exported-at', '5'], 'key', 'Use a time'],
    [[...required, '--url', 'localhost:4700'], 'key', '--url is not an HTTP address'],
    [[...required, '--url', 'http://me:secret@localhost'], 'key', 'must not hold a user or password'],
    [[...required, '--url', 'http://localhost/?a=secret'], 'key', 'must not hold a query'],
  ])('refuse %j with the key %j, and do not show a secret', (args, key, message) => {
    expect(() => parse(args, key)).toThrow(message);
    expect(() => parse(args, key)).not.toThrow('secret');
  });
});
