import { describe, expect, it } from 'vitest';
import { commandLine } from './command-line.js';

const options = {
  only: { type: 'string', value: '<names>', help: 'what to do' },
  port: { type: 'string', default: '4700', help: 'where to do it' },
  json: { type: 'boolean', default: false, help: 'for programs' },
} as const;
const usage = { call: 'npm run it -- [options]', about: 'Does it.', options, more: 'That is all.' };
const line = commandLine(usage, (given) => given);

describe('a command line', () => {
  it('gives what was given, and what is there without', () => {
    expect(line.read([])).toMatchObject({ values: { port: '4700', json: false }, positionals: [] });
    expect(line.read(['--only', 'a,b', '--port=-1', '--json']).values).toEqual({
      only: 'a,b',
      port: '-1',
      json: true,
    });
  });

  it.each([
    [['--fast'], 'There is no option --fast.'],
    [['-f'], 'There is no option -f.'],
    [['--toString'], 'There is no option --toString.'],
    [['--only'], '--only needs a value: --only <names>.'],
    [['--only', '--json'], '--only needs a value: --only <names>.'],
    [['--json=yes'], '--json takes no value.'],
    [['export.ndjson'], 'This takes options alone, not "export.ndjson".'],
  ])('refuses %j in words of its own', (args, message) => {
    expect(() => line.read(args)).toThrow(message);
  });

  it('takes files where it says so', () => {
    const files = commandLine({ ...usage, takesFiles: true }, ({ positionals }) => positionals);
    expect(files.read(['a', '--json', '-', '--', '--b'])).toEqual(['a', '-', '--b']);
  });

  it('shows every option, in columns', () => {
    expect(line.help.split('\n')).toEqual([
      'Usage: npm run it -- [options]',
      '',
      'Does it.',
      '',
      '  --only <names>  what to do',
      '  --port <text>   where to do it; 4700 unless told',
      '  --json          for programs',
      '  --help          show this',
      '',
      'That is all.',
    ]);
  });
});
