import { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@waybill/embedded-postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { testSecretsKeys } from '../../support/secrets.js';
import { postgresError, Programs, says, silentServer } from './process-run.js';

const programs = new Programs();
afterAll(() => programs.close());

describe('stop signals', () => {
  it('that come while the service is being loaded end it in time', async () => {
    const { server, port } = await silentServer();
    const program = `
      const { run } = await import('./src/run.js');
      await run(process.env, AbortSignal.abort('SIGTERM'));`;
    const service = programs.start(['--input-type=module', '-e', program], {
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`,
      SECRETS_KEYS: testSecretsKeys,
      SHUTDOWN_DEADLINE_MS: '100',
      SHUTDOWN_DRAIN_MS: '40000',
    });
    // The drain, the deadline and five seconds.
    await says(service, '"limit_ms":45100,"msg":"stopping"');
    expect(await service.ended).toBe(0);
    server.close();
  });

  it('do not hide that the start failed by itself', async () => {
    const { server, port } = await silentServer();
    const connected = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const service = programs.start(['service/main.js'], {
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`,
      SECRETS_KEYS: testSecretsKeys,
    });
    const socket = await connected;
    service.child.kill('SIGTERM');
    await says(service, '"msg":"stopping"');
    socket.end(postgresError('28P01', 'no such user'));
    expect(await service.ended).toBe(1);
    expect((await service.said)[0]).toContain('"msg":"the start failed"');
    server.close();
  });

  it('are taken before anything else is loaded', async () => {
    const program = `
      import { takeStopSignals } from './src/stop-signals.js';
      const stop = takeStopSignals();
      stop.addEventListener('abort', () => console.log('asked: ' + stop.reason));
      console.log('listens');
      setInterval(() => {}, 1000);`;
    const listening = programs.start(['--input-type=module', '-e', program]);
    await says(listening, 'listens');
    listening.child.kill('SIGINT');
    await says(listening, 'asked: SIGINT');
    // From the terminal and from npm: one wish.
    listening.child.kill('SIGINT');
    await sleep(1_200);
    expect(listening.child.exitCode).toBeNull();
    listening.child.kill('SIGTERM');
    expect(await listening.ended).toBe(1);
  });
});

it('a demo that stays ends with Ctrl-C, which reaches it from the terminal and from npm', async () => {
  const program = `
    import { untilStopped } from './tools/demo/keep-running.js';
    setInterval(() => {}, 1000);
    setTimeout(() => process.kill(process.pid, 'SIGINT'));
    await untilStopped();
    process.kill(process.pid, 'SIGINT');
    setTimeout(() => { console.log('closed'); process.exit(0); });`;
  const demo = programs.start(['--input-type=module', '-e', program]);
  expect(await demo.ended).toBe(0);
  expect((await demo.said)[0]).toBe('closed\n');
});

describe('what cannot be run', () => {
  it('is said in a line for each setting, without a stack', async () => {
    const service = programs.start(['service/main.js'], { PORT: 'abc', LOG_LEVEL: 'loud' });
    expect(await service.ended).toBe(1);
    const [out, error] = await service.said;
    expect(out).toBe('');
    expect(error.trimEnd().split('\n')).toEqual([
      'Invalid settings:',
      '  PORT is "abc". Set it to a whole number from 0 to 65535.',
      '  LOG_LEVEL is "loud". Set it to fatal, error, warn, info, debug, trace or silent.',
      'See docs/configuration.md.',
    ]);
  });

  it('is said before the service waits for Postgres', async () => {
    const service = programs.start(['service/main.js'], {
      DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none`,
      SECRETS_KEYS: 'k1:hunter2',
    });
    expect(await service.ended).toBe(1);
    const [out, error] = await service.said;
    expect(out).toBe('');
    expect(error).toContain('SECRETS_KEYS is invalid: key 1 of 1 (k1) is not the base64 of 32 bytes');
    expect(error).not.toContain('hunter2');
  });

  it.each([
    ['tools/demo/main.js', '--loud'],
    ['node_modules/@waybill/sandbox/dist/main.js', '--loud'],
    ['node_modules/@waybill/sandbox/dist/main.js', '--port=abc'],
  ])('%s says what is wrong with %s in one line', async (program, option) => {
    const tool = programs.start([program, option]);
    expect(await tool.ended).toBe(2);
    const [, error] = await tool.said;
    expect(error.trimEnd().split('\n')).toHaveLength(1);
    expect(error).toContain(option.replace('--port=', ''));
  });
});

it('every tool shows its options when it is asked for them, and does nothing else', async () => {
  const tools = {
    'tools/demo/main.js': '--keep',
    'node_modules/@waybill/sandbox/dist/main.js': '--tls-port',
    'node_modules/@waybill/reconcile/dist/main.js': '--exported-at',
    'tools/bench/main.js': '--scale',
    'tools/faults/main.js': '--short',
    'src/rotate-secrets.js': '--new-key',
  };
  for (const [tool, option] of Object.entries(tools)) {
    const asked = programs.start([tool, '--help']);
    expect(await asked.ended).toBe(0);
    const [out, error] = await asked.said;
    expect(error).toBe('');
    expect(out).toMatch(/^Usage: (npm run [a-z]+ --|waybill [a-z-]+|node dist\/tools\/[a-z]+\/main\.js) /);
    expect(out).toContain(`  ${option} `);
  }
});

it('the demo says what is wrong with the settings, and ends', async () => {
  const demo = programs.start(['tools/demo/main.js'], { REDIS_URL: 'localhost:6379', ROLES: 'foo' });
  expect(await demo.ended).toBe(1);
  expect((await demo.said).join('')).toMatch(
    /ROLES is .* Set it to api, worker or both.*\n +REDIS_URL .* Set it to a URL/,
  );
});

it('the demo says so when its Redis is not there, or does not answer, and ends', async () => {
  const { server, port } = await silentServer();
  const runs = [await freePort(), port].map((at) =>
    programs.start(['tools/demo/main.js'], { REDIS_URL: `redis://:hidden@127.0.0.1:${at}` }),
  );
  for (const demo of runs) {
    expect(await demo.ended).toBe(1);
    const all = (await demo.said).join('');
    expect(all).toContain('The Redis of REDIS_URL (127.0.0.1');
    expect(all).not.toContain('hidden');
  }
  server.close();
});
