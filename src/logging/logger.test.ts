import { describe, expect, it } from 'vitest';
import { createLogger, plainLogger } from './logger.js';

function logged(error: unknown): Record<string, unknown> {
  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }).warn({ err: error }, 'it failed');
  expect(lines).toHaveLength(1);
  const { err } = JSON.parse(lines[0] ?? '');
  return err;
}

describe('an error in the log', () => {
  it('shows its type, message, stack, cause and system fields', () => {
    const cause = new Error('the disk is full');
    const error = Object.assign(new TypeError('cannot write', { cause }), {
      code: 'ENOSPC',
      syscall: 'write',
      constraint: 'events_pkey',
    });
    const shown = logged(error);
    expect(shown).toMatchObject({
      type: 'TypeError',
      message: 'cannot write: the disk is full',
      code: 'ENOSPC',
      syscall: 'write',
      constraint: 'events_pkey',
    });
    expect(shown['stack']).toContain('logger.test');
    expect(shown['stack']).toContain('caused by');
  });

  it('shows the parts of an aggregate error', () => {
    const parts = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}:6379`), { code: 'ECONNREFUSED', address }),
    );
    expect(logged(new AggregateError(parts))).toMatchObject({
      errors: [{ address: '::1' }, { address: '127.0.0.1', message: 'connect ECONNREFUSED 127.0.0.1:6379' }],
    });
  });

  it.each([
    ['a command with its arguments', { command: { name: 'hello', args: ['3', 'AUTH', 'default', 'planted'] } }],
    ['a request with its headers', { request: { headers: { authorization: 'Bearer planted' } } }],
    ['the row that Postgres refused', { detail: 'Failing row contains (planted).', where: 'planted' }],
    ['members of its parts', { errors: [Object.assign(new Error('part'), { command: 'planted' })] }],
  ])('does not show what a library adds to it: %s', (_, members) => {
    const base = 'errors' in members ? new AggregateError(members.errors, 'all failed') : new Error('refused');
    const error = 'errors' in members ? base : Object.assign(base, members);
    expect(JSON.stringify(logged(error))).not.toContain('planted');
    expect(JSON.stringify(logged(new Error('outer', { cause: error })))).not.toContain('planted');
  });

  it('shows only the type of a thrown value that is not an Error', () => {
    expect(JSON.stringify(logged('planted'))).not.toContain('planted');
  });
});

describe('a secret in the log', () => {
  it('is redacted by its name at any depth; a plain line is not', () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => lines.push(line) });
    logger.info({ token: 'hunter2', of: { password: 'hunter2', its: { api_key: 'hunter2' } } }, 'line');
    plainLogger(logger).info({ route: '/ip_policies', status: 201 }, 'request');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { token: '[redacted]', of: { password: '[redacted]', its: { api_key: '[redacted]' } }, msg: 'line' },
      { service: 'waybill', level: 30, route: '/ip_policies', status: 201, msg: 'request' },
    ]);
    expect(lines.join('')).not.toContain('hunter2');
  });
});
