import { describe, expect, it } from 'vitest';
import { faultsCommand } from './options.js';

const command = () =>
  faultsCommand([
    { name: 'worker-killed', title: 'kill -9 of a worker' },
    { name: 'deploy', title: 'SIGTERM of each process' },
  ])
    .exitOverride()
    .configureOutput({ writeErr: () => {} });

describe('the options of the fault tests', () => {
  it('choose every scenario by leaving --only out, and both backends', () => {
    expect(command().parse([], { from: 'user' }).opts()).toEqual({ backend: ['redis', 'postgres'] });
  });

  it('refuse an unknown scenario with the list of known ones', () => {
    expect(() => command().parse(['--only', 'deploi'], { from: 'user' })).toThrow('Use worker-killed, deploy');
  });
});
