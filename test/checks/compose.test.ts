import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { OPERATOR_ACCESS_KEY_ID, SANDBOX_SECRET_ACCESS_KEY } from '@waybill/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { configSchema, readConfig } from '../../src/config/config.js';
import { testSecretsKeys } from '../support/secrets.js';
import { interpolate, parseCompose, settingsOf, workspacesIn, type ComposeService } from './compose-file.js';

/** The base of every stage: an exact version of the current Node LTS. */
const BASE_IMAGE = 'node:24.11.1-slim';

const root = resolve(import.meta.dirname, '../..');
const read = (name: string): Promise<string> => readFile(resolve(root, name), 'utf8');

const text = await read('docker-compose.yml');
const { services } = parseCompose(text);
const example = await read('.env.example');
const demo = settingsOf(await read('demo.env'));
const dockerfile = await read('Dockerfile');
const caddyfile = await read('docker/Caddyfile');

function serviceOf(name: string): ComposeService {
  const found = services[name];
  if (!found) throw new Error(`There is no service ${name}.`);
  return found;
}

/** Returns the environment of a service's container. `settings`: the content of `.env`. */
function environmentOf(name: string, settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(serviceOf(name).environment).flatMap(([variable, value]) => {
      const resolved = value === null ? settings[variable] : interpolate(value, settings);
      return resolved === undefined ? [] : [[variable, resolved]];
    }),
  );
}

const filledIn = {
  POSTGRES_PASSWORD: 'ab'.repeat(24),
  REDIS_PASSWORD: 'cd'.repeat(24),
  SECRETS_KEYS: testSecretsKeys,
};
/** What has an example in `.env.example`: the default is nothing, follows from another setting, or is plain HTTP. */
const EXAMPLES = [
  'CNAME_DOMAIN',
  'EXPORT_BUCKET',
  'EXPORT_BUCKET_REGION',
  'INGRESS_REGIONS',
  'NAME_SERVERS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'PUBLIC_URL',
  'PUBLISH_HTTP',
  'PUBLISH_HTTPS',
  'RATE_LIMIT_PER_MINUTE_ACCOUNT',
  'RATE_LIMIT_PER_MINUTE_PRINCIPAL',
  'SERVICE_DOMAINS',
  'SITE_ADDRESS',
];
const ownVariables = Object.keys(configSchema.shape);
const sdkVariables = /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|ENDPOINT_URL_[A-Z_]+)$/;

describe('docker-compose.yml', () => {
  test('is YAML without warnings', () => {
    const document = parseDocument(text, { merge: true, strict: true });
    expect([...document.errors, ...document.warnings]).toEqual([]);
  });

  test('has Postgres 18, a Redis-protocol store and a proxy, each pinned to an exact version', () => {
    expect(serviceOf('postgres').image).toMatch(/^postgres:18\.\d+$/);
    expect(serviceOf('redis').image).toMatch(/^valkey\/valkey:8\.\d+\.\d+$/);
    const [, minor, patch] = /^caddy:2\.(\d+)\.(\d+)$/.exec(serviceOf('proxy').image) ?? [];
    // The first release that sends a POST to the other api when a connection fails.
    expect(Number(minor) * 1_000 + Number(patch)).toBeGreaterThanOrEqual(11_009);
  });

  test('shares the folder of exports: workers write there, and apis read', () => {
    for (const name of ['api', 'api-2', 'worker']) {
      expect(serviceOf(name).volumes).toContain('exports:/exports');
      expect(serviceOf(name).environment['EXPORT_FOLDER']).toBe('/exports');
    }
    expect(dockerfile).toContain('chown node:node /sandbox /exports');
  });

  test('needs no Docker Engine 25: no start_interval', () => {
    expect(text).not.toContain('start_interval');
    expect(dockerfile).not.toContain('start-interval');
  });

  test('keeps the data of the stores: Postgres in a volume, the queues in an append-only file without eviction', () => {
    expect(serviceOf('postgres').volumes).toEqual(['postgres:/var/lib/postgresql']);
    expect(serviceOf('redis').volumes).toEqual(['redis:/data']);
    const command = (serviceOf('redis').command ?? []).join(' ');
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
  });

  test('has the password of the queue store in no argument', async () => {
    for (const { command = [], entrypoint = [] } of Object.values(services)) {
      expect([...command, ...entrypoint].join(' ')).not.toMatch(/(?<!\$)\$\{[A-Z_]*PASSWORD/);
    }
    const [shell = '', flags = '', script = ''] = serviceOf('redis').command ?? [];
    // In the place of the server, a program that shows its arguments and its input.
    const folder = await mkdtemp(join(tmpdir(), 'waybill-compose-'));
    await writeFile(join(folder, 'docker-entrypoint.sh'), '#!/bin/sh\necho "$@"\ncat\n', { mode: 0o755 });
    const environment = environmentOf('redis', filledIn);
    const path = `${folder}:${process.env['PATH']}`;
    const { stdout } = await promisify(execFile)(shell, [flags, script.replaceAll('$$', '$')], {
      env: { ...environment, PATH: path },
    });
    await rm(folder, { recursive: true });
    const [given, ...input] = stdout.trimEnd().split('\n');
    expect(given).toBe('valkey-server - --appendonly yes --appendfsync everysec --maxmemory-policy noeviction');
    expect(input).toEqual([`requirepass "${filledIn.REDIS_PASSWORD}"`]);
  });

  test('drops every capability that a container does not need', () => {
    const granted = Object.fromEntries(Object.keys(services).map((name) => [name, serviceOf(name).cap_add]));
    for (const name of Object.keys(services)) {
      expect([name, serviceOf(name).cap_drop]).toEqual([name, ['ALL']]);
      expect([name, serviceOf(name).security_opt]).toEqual([name, ['no-new-privileges:true']]);
    }
    expect(Object.entries(granted).filter(([, capabilities]) => capabilities.length > 0)).toEqual([
      ['postgres', ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID']],
      ['redis', ['DAC_OVERRIDE', 'SETGID', 'SETUID']],
      ['proxy', ['NET_BIND_SERVICE']],
    ]);
  });

  test('runs two apis and two workers, and workers can be scaled', () => {
    expect(serviceOf('api').environment['ROLES']).toBe('api');
    expect(serviceOf('api-2')).toEqual({
      ...serviceOf('api'),
      depends_on: { api: { condition: 'service_healthy', required: true }, ...serviceOf('api').depends_on },
    });
    expect(serviceOf('worker').environment['ROLES']).toBe('worker');
    expect(serviceOf('worker').deploy).toEqual({ mode: 'replicated', replicas: 2 });
    expect(serviceOf('worker').ports).toEqual([]);
    expect(Object.values(services).map(({ container_name }) => container_name)).not.toContain(expect.any(String));
  });

  test('starts stores, then the api, then workers, each after the previous one is healthy', () => {
    const waitsFor = (name: string): string[] =>
      Object.entries(serviceOf(name).depends_on).flatMap(([other, { condition, required }]) =>
        required && condition === 'service_healthy' ? [other] : [],
      );
    expect(waitsFor('api').toSorted()).toEqual(['postgres', 'redis']);
    expect(waitsFor('worker').toSorted()).toEqual(['api', 'postgres', 'redis']);
  });

  test('checks the health of both stores with programs of their images', () => {
    expect(serviceOf('postgres').healthcheck?.test.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
    expect(serviceOf('redis').healthcheck?.test).toEqual(['CMD-SHELL', 'test "$$(valkey-cli ping)" = PONG']);
  });

  test('gives a container more time to stop than the process needs', () => {
    const deadlineSeconds = readConfig({}).SHUTDOWN_DEADLINE_MS / 1000;
    for (const name of ['api', 'worker']) {
      const drainSeconds = Number(serviceOf(name).environment['SHUTDOWN_DRAIN_MS'] ?? 0) / 1000;
      expect(Number.parseInt(serviceOf(name).stop_grace_period ?? '', 10)).toBeGreaterThan(
        deadlineSeconds + drainSeconds + 5,
      );
    }
  });

  test('publishes the proxy on loopback only, and no port of the apis and the stores', () => {
    const ports = serviceOf('proxy').ports.map((port) => interpolate(port, {}));
    expect(ports).toEqual(['127.0.0.1:4700:4700', '127.0.0.1:4780:80', '127.0.0.1:4743:443']);
    for (const name of ['api', 'api-2', 'worker', 'postgres', 'redis']) expect(serviceOf(name).ports).toEqual([]);
    for (const name of ['postgres', 'redis']) expect(serviceOf(name).networks).toEqual(['stores']);
  });

  test('has a proxy that knows every api, asks for its readiness, and holds requests for longer than a restart', () => {
    const apis = Object.keys(services).filter((name) => serviceOf(name).environment['ROLES'] === 'api');
    expect(caddyfile).toContain(`reverse_proxy ${apis.map((name) => `${name}:4700`).join(' ')} {`);
    expect(caddyfile).toMatch(/health_uri \/readyz\n\s*health_interval 1s/);
    const drain = Number(serviceOf('api').environment['SHUTDOWN_DRAIN_MS']);
    expect(drain).toBeGreaterThanOrEqual(3_000);
    const tries = Number(/lb_try_duration (\d+)s/.exec(caddyfile)?.[1]);
    expect(tries).toBeGreaterThanOrEqual(60);
    expect(Number.parseInt(serviceOf('proxy').stop_grace_period ?? '', 10)).toBeGreaterThan(tries);
    expect(serviceOf('proxy').volumes).toContain('./docker/Caddyfile:/etc/caddy/Caddyfile:ro');
    expect(interpolate(serviceOf('api').environment['TRUST_PROXY'] ?? '', {})).toBe('1');
  });

  test('starts the sandbox only with the profile demo, and Prometheus and Grafana only with monitoring', () => {
    const profiles = Object.keys(services).flatMap((name) => {
      const own = serviceOf(name).profiles;
      return own.length > 0 ? [[name, own]] : [];
    });
    expect(Object.fromEntries(profiles)).toEqual({
      relay: ['outbox'],
      sandbox: ['demo'],
      prometheus: ['monitoring'],
      grafana: ['monitoring'],
    });
  });

  test('holds no secret: every password and key comes from .env', () => {
    for (const [name, { environment }] of Object.entries(services)) {
      for (const [variable, value] of Object.entries(environment)) {
        if (!/PASSWORD|SECRET|KEYS?$|AUTH$|TOKEN|_URL$/.test(variable) || value === null) continue;
        expect(value, `${name}: ${variable}`).toMatch(/\$\{[A-Z_]+:\?/);
      }
    }
  });

  test.each(Object.keys(filledIn))('does not start without %s', (missing) => {
    const settings = { ...filledIn, [missing]: '' };
    expect(() => environmentOf('api', settings)).toThrow(
      missing === 'SECRETS_KEYS'
        ? /make one with: echo "k1:\$\(openssl rand -base64 32\)"/
        : /make one with: openssl rand -hex 24/,
    );
  });
});

describe('the settings', () => {
  test('of a container are settings that the service or an SDK reads', () => {
    for (const name of ['api', 'worker']) {
      const unknown = Object.keys(serviceOf(name).environment).filter(
        (variable) => !ownVariables.includes(variable) && !sdkVariables.test(variable),
      );
      expect(unknown).toEqual([]);
    }
  });

  test('of tracing are passed on to every container', () => {
    const ofTracing = ownVariables.filter((variable) => variable.startsWith('OTEL_'));
    expect(ofTracing).toContain('OTEL_SDK_DISABLED');
    for (const name of ['api', 'worker'])
      expect(Object.keys(serviceOf(name).environment)).toEqual(expect.arrayContaining(ofTracing));
  });

  test('of docker-compose.yml are explained in .env.example, and no others', () => {
    const asked = new Set([
      ...Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name = '']) => name),
      ...Object.keys(services).flatMap((name) =>
        Object.entries(serviceOf(name).environment).flatMap(([variable, value]) => (value === null ? [variable] : [])),
      ),
    ]);
    const inDemo = new Set(Object.keys(demo));
    const explained = Object.keys(settingsOf(example, true));
    expect(explained.toSorted()).toEqual(
      [...asked].filter((name) => explained.includes(name) || !inDemo.has(name)).toSorted(),
    );
  });

  test('of .env.example are the defaults, but for examples of what has none', () => {
    const defaultOf = Object.fromEntries(
      [...text.matchAll(/\$\{([A-Z_]+):-([^}]*)\}/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const given = Object.entries(settingsOf(example, true)).filter(([, value]) => value !== '');
    const other = given.flatMap(([name, value]) => {
      if (name in defaultOf) return defaultOf[name] === value ? [] : [name];
      if (!ownVariables.includes(name)) return [name];
      const valueIn = (environment: Record<string, string>): unknown =>
        Object.entries(readConfig(environment)).find(([key]) => key === name)?.[1];
      return isDeepStrictEqual(valueIn({ [name]: value }), valueIn({})) ? [] : [name];
    });
    expect(other.toSorted()).toEqual(EXAMPLES);
  });

  test('of .env.example have no value when they are secret', () => {
    expect(settingsOf(example)).toEqual({ POSTGRES_PASSWORD: '', REDIS_PASSWORD: '', SECRETS_KEYS: '' });
  });

  test.each(['api', 'worker'])('of a filled-in .env are a valid configuration of the %s', (name) => {
    const config = readConfig(environmentOf(name, filledIn));
    expect(config.ROLES).toEqual([name]);
    expect(config.DATABASE_URL).toBe(`postgres://waybill:${filledIn.POSTGRES_PASSWORD}@postgres:5432/waybill`);
    expect(config.REDIS_URL).toBe(`redis://:${filledIn.REDIS_PASSWORD}@redis:6379`);
    expect(config.MONITORING_ENDPOINT).toBeUndefined();
  });

  test('of demo.env direct every target to the sandbox, and change nothing else', () => {
    const environment = environmentOf('worker', { ...filledIn, ...demo });
    const config = readConfig(environment);
    const [plain, tls] = ['http://sandbox:4710', 'https://sandbox:4711'];
    expect(config).toMatchObject({
      MONITORING_ENDPOINT: plain,
      LOG_INGESTION_ENDPOINT: tls,
      LOG_INGESTION_AUTHORITY: tls,
      LOG_INGESTION_CA_FILE: '/sandbox/ca.pem',
    });
    for (const name of ['FIREHOSE', 'KINESIS', 'CLOUDWATCH_LOGS', 'STS']) {
      expect(environment[`AWS_ENDPOINT_URL_${name}`]).toBe(plain);
    }
    expect(environment['AWS_ACCESS_KEY_ID']).toBe(OPERATOR_ACCESS_KEY_ID);
    expect(environment['AWS_SECRET_ACCESS_KEY']).toBe(SANDBOX_SECRET_ACCESS_KEY);
    expect(Object.keys(demo).filter((name) => !(name in environment))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  const stages = dockerfile.split(/^FROM /m).slice(1);

  test('builds every stage on the current Node LTS', () => {
    const foreign = stages
      .map((stage) => stage.split(/\s/)[0])
      .filter((image) => image !== BASE_IMAGE && image !== 'runtime');
    expect(foreign).toEqual([]);
  });

  test('ends with the service: not root, with a health check, compiled files and no development packages', () => {
    const last = stages.at(-1) ?? '';
    expect(last).toMatch(/^runtime AS service/);
    expect(last).toContain('HEALTHCHECK');
    for (const folder of ['dist/src', 'dist/service'])
      expect(last).toContain(`COPY --from=build /app/${folder} ./${folder}`);
    expect(last).toContain('"dist/service/main.js"]');
    const runtime = stages.find((stage) => stage.startsWith(`${BASE_IMAGE} AS runtime`)) ?? '';
    expect(runtime).toMatch(/^USER node$/m);
    expect(runtime).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(dockerfile).toContain('npm ci --omit=dev');
  });

  test('has an image of the relay, which the compose file runs with a database and a key of its own', async () => {
    const stage = stages.find((one) => one.startsWith('runtime AS relay')) ?? '';
    expect(stage).toContain('COPY --from=build /app/packages/outbox/dist ./packages/outbox/dist');
    expect(stage).toContain('HEALTHCHECK');
    const { command, entrypoint = [] } = serviceOf('relay');
    expect(stage).toContain(`CMD ${JSON.stringify(command).replaceAll(',', ', ')}`);
    expect(stage).toContain('ENTRYPOINT ["node", "packages/outbox/dist/cli.js"]');
    // In the place of Node, a program that shows its arguments and its settings.
    const folder = await mkdtemp(join(tmpdir(), 'waybill-compose-'));
    const program = '#!/bin/sh\necho "$@" "$DATABASE_URL" "$WAYBILL_API_KEY" "$WAYBILL_URL"\n';
    await writeFile(join(folder, 'node'), program, { mode: 0o755 });
    const start = (settings: Record<string, string>) => {
      const [shell = '', ...parameters] = entrypoint.map((part) => part.replaceAll('$$', '$'));
      const env = { ...environmentOf('relay', settings), PATH: `${folder}:${process.env['PATH']}` };
      return promisify(execFile)(shell, [...parameters, ...(command ?? [])], { env });
    };
    const { stdout } = await start({ OUTBOX_DATABASE_URL: 'postgres://db/app', OUTBOX_API_KEY: 'k' });
    expect(stdout).toBe(
      'packages/outbox/dist/cli.js relay --host 0.0.0.0 --port 4702 postgres://db/app k http://api:4700\n',
    );
    await expect(start({ OUTBOX_API_KEY: 'k' })).rejects.toThrow('OUTBOX_DATABASE_URL: is missing in .env');
    await rm(folder, { recursive: true });
  });

  test('installs with the manifest of every workspace package, and ships those that the service depends on', async () => {
    const packages = await workspacesIn(resolve(root, 'packages'));
    expect(packages).not.toEqual([]);
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await read('package.json')));
    const installing = stages.filter((stage) => stage.includes('npm ci'));
    expect(installing).toHaveLength(2);
    const examples = await workspacesIn(resolve(root, 'examples'));
    expect(examples).not.toEqual([]);
    for (const name of examples) {
      for (const stage of installing) {
        const beforeInstall = stage.slice(0, stage.indexOf('npm ci'));
        expect(beforeInstall).toContain(`COPY examples/${name}/package.json ./examples/${name}/`);
      }
    }
    for (const name of packages) {
      for (const stage of installing) {
        const beforeInstall = stage.slice(0, stage.indexOf('npm ci'));
        expect(beforeInstall).toContain(`COPY packages/${name}/package.json ./packages/${name}/`);
      }
      if (!(`@waybill/${name}` in dependencies)) continue;
      const last = stages.at(-1) ?? '';
      expect(last).toContain(`COPY --from=build /app/packages/${name}/package.json ./packages/${name}/`);
      expect(last).toContain(`COPY --from=build /app/packages/${name}/dist ./packages/${name}/dist`);
    }
  });

  test('copies only files that .dockerignore allows, and no secrets', async () => {
    const ignored = (await read('.dockerignore')).split('\n');
    expect(ignored[0]).toBe('*');
    const allowed = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(allowed).toEqual(expect.arrayContaining(['src', 'tools', 'packages', 'package.json', 'package-lock.json']));
    expect(allowed.filter((name) => name.startsWith('.env') || name === '.waybill')).toEqual([]);
  });

  test('starts the service through the script that refuses a demo without its settings', () => {
    const last = stages.at(-1) ?? '';
    expect(last).toContain('COPY docker/start.sh /usr/local/bin/start.sh\nENTRYPOINT ["start.sh"]');
  });

  test('starts the sandbox where demo.env expects it', () => {
    const sandbox = stages.find((stage) => stage.startsWith('runtime AS sandbox')) ?? '';
    expect(sandbox).toContain('SANDBOX_PORT=4710');
    expect(sandbox).toContain('SANDBOX_TLS_PORT=4711');
    expect(sandbox).toContain('SANDBOX_PUBLIC_HOST=sandbox');
    expect(sandbox).toContain('SANDBOX_AUTHORITY_FOLDER=/sandbox');
    expect(serviceOf('sandbox').volumes).toEqual(['sandbox:/sandbox']);
    expect(serviceOf('worker').volumes).toContain('sandbox:/sandbox:ro');
  });
});

describe('docker/start.sh', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-start-'));
    await writeFile(join(folder, 'docker-entrypoint.sh'), '#!/bin/sh\necho "runs $*"\n', { mode: 0o755 });
    await writeFile(join(folder, 'ca.pem'), '');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const start = (certificate: string, settings: Readonly<Record<string, string>>) =>
    promisify(execFile)(resolve(root, 'docker/start.sh'), ['node', 'main.js'], {
      env: { ...settings, DEMO_CERTIFICATE: join(folder, certificate), PATH: `${folder}:${process.env['PATH']}` },
    });

  test('starts the service outside of a demo, and in a demo with all settings of demo.env', async () => {
    expect((await start('none.pem', {})).stdout).toBe('runs node main.js\n');
    expect((await start('ca.pem', demo)).stdout).toBe('runs node main.js\n');
  });

  test.each(Object.keys(demo).filter((name) => /ENDPOINT|AUTHORITY/.test(name)))(
    'starts nothing in a demo without %s',
    async (missing) => {
      const settings = Object.fromEntries(Object.entries(demo).filter(([name]) => name !== missing));
      await expect(start('ca.pem', settings)).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`${missing} is unset`) as string,
      });
    },
  );
});

describe('docker/healthcheck.sh', () => {
  const script = resolve(root, 'docker/healthcheck.sh');
  const exitCodeOf = async (port: number, path: string): Promise<number | null> => {
    const child = spawn(script, [String(port), path], { stdio: 'ignore' });
    await once(child, 'exit');
    return child.exitCode;
  };

  test('succeeds when the path responds with 200, and fails otherwise', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/readyz' ? 200 : 503;
      response.end('{}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await exitCodeOf(port, '/readyz')).toBe(0);
    expect(await exitCodeOf(port, '/other')).not.toBe(0);
    server.close();
    await once(server, 'close');
    expect(await exitCodeOf(port, '/readyz')).not.toBe(0);
  });
});
