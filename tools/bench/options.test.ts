import { describe, expect, it } from 'vitest';
import { benchCommandLine } from './options.js';

const known = ['drain', 'latency', 'writes'];
const { read, help } = benchCommandLine(known);

describe('the command line of the benchmarks', () => {
  it('runs everything in full on both backends unless told otherwise', () => {
    expect(read([])).toEqual({
      benches: known,
      scale: 1,
      backends: ['redis', 'postgres'],
      json: false,
      markdown: null,
      profile: null,
    });
  });

  it('runs what it is asked for, in its own order', () => {
    const args = ['--only', 'writes, drain', '--scale', '0.1', '--backend', 'postgres', '--json'];
    expect(read(args)).toMatchObject({
      benches: ['drain', 'writes'],
      scale: 0.1,
      backends: ['postgres'],
      json: true,
    });
  });

  it.each([
    ['--only', 'drian', 'drian'],
    ['--backend', 'kafka', 'kafka'],
    ['--scale', '0', '--scale'],
    ['--scale', 'half', 'half'],
    ['--only', '--json', '--only needs a value: --only <names>'],
  ])('refuses %s %s', (option, value, words) => {
    expect(() => read([option, value])).toThrow(words);
  });

  it('shows what it takes', () => {
    for (const words of [...known, '--backend <name>', 'redis or postgres', '--scale <number>'])
      expect(help).toContain(words);
  });
});
