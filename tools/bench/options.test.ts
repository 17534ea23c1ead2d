import { describe, expect, it } from 'vitest';
import { benchCommand } from './options.js';

const known = ['drain', 'latency', 'writes'];

function parse(...args: readonly string[]) {
  const command = benchCommand(known)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse(args, { from: 'user' }).opts();
}

describe('the options of the benchmarks', () => {
  it('run every bench at full scale on both backends by default', () => {
    expect(parse()).toEqual({ only: known, scale: 1, backend: ['redis', 'postgres'] });
    expect(parse('--cold').cold).toBe(true);
  });

  it('keep the order of the benches, whatever the order of --only', () => {
    expect(parse('--only', 'writes, drain', '--scale', '0.1', '--backend', 'postgres')).toMatchObject({
      only: ['drain', 'writes'],
      scale: 0.1,
      backend: ['postgres'],
    });
  });

  it.each([
    ['--only', 'drian', 'Use drain, latency, writes'],
    ['--backend', 'kafka', 'Use redis, postgres'],
    ['--scale', '0', 'above 0'],
    ['--scale', 'half', 'above 0'],
  ])('refuse %s %s', (option, value, message) => {
    expect(() => parse(option, value)).toThrow(message);
  });
});
