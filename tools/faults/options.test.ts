import { describe, expect, it } from 'vitest';
import { faultsCommandLine } from './options.js';

const line = faultsCommandLine([
  { name: 'worker-killed', title: 'kill -9 of a worker' },
  { name: 'deploy', title: 'SIGTERM of each process' },
]);

describe('the command line of the faults', () => {
  it('plays everything on both backends unless told otherwise', () => {
    expect(line.read([])).toEqual({
      only: null,
      backends: ['redis', 'postgres'],
      short: false,
      json: false,
    });
    expect(line.read(['--only', 'deploy', '--backend=redis', '--short'])).toMatchObject({
      only: ['deploy'],
      backends: ['redis'],
      short: true,
    });
  });

  it('lists the scenarios, to those who ask and to those who name another', () => {
    expect(line.help).toContain(
      '  worker-killed  kill -9 of a worker\n  deploy         SIGTERM of each process',
    );
    expect(() => line.read(['--only', 'deploi'])).toThrow(
      '--only takes worker-killed, deploy, comma-separated, not "deploi".',
    );
  });
});
