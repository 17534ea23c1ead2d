import { describe, expect, it } from 'vitest';
import { reconcileCommandLine } from './options.js';

const environment = { WAYBILL_API_KEY: 'key' };

describe('the command line of a reconciliation', () => {
  it('needs a destination, an export and a key', () => {
    expect(reconcileCommandLine(environment).read(['--destination', 'ed_1', 'a.ndjson', 'b.ndjson'])).toEqual(
      {
        destination: 'ed_1',
        files: ['a.ndjson', 'b.ndjson'],
        url: 'http://localhost:4700',
        key: 'key',
        from: 1,
        exportedAt: null,
        json: false,
        strict: false,
      },
    );
  });

  it('is strict when it is told to be', () => {
    expect(reconcileCommandLine(environment).read(['--destination', 'ed_1', '-', '--strict']).strict).toBe(
      true,
    );
  });

  it('takes the address from the environment, unless it is told', () => {
    const line = reconcileCommandLine({ ...environment, WAYBILL_URL: 'https://waybill.example.com/' });
    const args = ['--destination', 'ed_1', '-'];
    expect(line.read(args).url).toBe('https://waybill.example.com');
    expect(line.read([...args, '--url', 'http://localhost:1']).url).toBe('http://localhost:1');
  });

  it.each([
    [['a.ndjson'], environment, '--destination is missing'],
    [['--destination', 'ed_1'], environment, 'The export is missing'],
    [['--destination', 'ed_1', '-'], {}, 'WAYBILL_API_KEY is not set'],
    [['--destination', 'ed_1', '-', '--from', '0'], environment, '--from takes'],
    [['--destination', 'ed_1', '-', '--exported-at', 'noon'], environment, '--exported-at takes'],
    [['--destination', 'ed_1', '-', '--exported-at', '5'], environment, '--exported-at takes'],
    [['--destination', 'ed_1', '-', '--url', 'localhost:4700'], environment, '--url takes'],
    [
      ['--destination', 'ed_1', '-', '--url', 'http://me:pw@localhost'],
      environment,
      '--url takes no user and password',
    ],
    [
      ['--destination', 'ed_1', '-', '--url', 'http://localhost/?a=b'],
      environment,
      '--url takes an address without',
    ],
    [['--destination', 'ed_1', '-'], { WAYBILL_API_KEY: 'key\n' }, 'WAYBILL_API_KEY is no API key'],
    [['--destination', 'ed_1', '-', '--fast'], environment, '--fast'],
  ])('refuses %j', (args, env, message) => {
    expect(() => reconcileCommandLine(env).read(args)).toThrow(message);
  });
});
