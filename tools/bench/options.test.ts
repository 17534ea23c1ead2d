import { describe, expect, it } from 'vitest';
import { readOptions } from './options.js';

const known = ['drain', 'latency', 'writes'];

describe('readOptions', () => {
  it('runs everything in full on both backends unless told otherwise', () => {
    expect(readOptions([], known)).toEqual({
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
    expect(readOptions(args, known)).toMatchObject({
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
  ])('refuses %s %s', (option, value, words) => {
    expect(() => readOptions([option, value], known)).toThrow(words);
  });
});
