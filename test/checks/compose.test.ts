import { readFile, readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { z } from 'zod';
import { configSchema, readConfig } from '../../src/config/config.js';
import { OPERATOR_ACCESS_KEY_ID, SANDBOX_SECRET_ACCESS_KEY } from '../../tools/sandbox/aws/credentials.js';
import { testSecretsKeys } from '../support/secrets.js';

const root = resolve(import.meta.dirname, '../..');
const read = (name: string): Promise<string> => readFile(resolve(root, name), 'utf8');

const service = z.object({
  image: z.string(),
  build: z.unknown().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  healthcheck: z.object({ test: z.array(z.string()), interval: z.string(), timeout: z.string() }).optional(),
  depends_on: z
    .record(z.string(), z.object({ condition: z.string(), required: z.boolean().default(true) }))
    .default({}),
  deploy: z.object({ replicas: z.number() }).optional(),
  container_name: z.string().optional(),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  stop_grace_period: z.string().optional(),
});

const text = await read('docker-compose.yml');
const { services } = z
  .object({ services: z.record(z.string(), service) })
  .parse(parse(text, { merge: true, uniqueKeys: true }));
const example = await read('.env.example');
const demo = settingsOf(await read('demo.env'));
const dockerfile = await read('Dockerfile');

function serviceOf(name: string): z.infer<typeof service> {
  const found = services[name];
  if (!found) throw new Error(`There is no service ${name}.`);
  return found;
}

/** The lines `NAME=value` of a file of settings; with `commented`, those that are commented out too. */
function settingsOf(file: string, commented = false): Record<string, string> {
  const line = commented ? /^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/ : /^([A-Z][A-Z0-9_]*)=(.*)$/;
  return Object.fromEntries(
    file.split('\n').flatMap((row) => {
      const [, name, value] = line.exec(row) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

/** What `docker compose` would put in place of `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
function interpolate(value: string, settings: Readonly<Record<string, string>>): string {
  return value.replaceAll(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_match, name: string, kind?: string, rest?: string) => {
      const given = settings[name];
      if (given) return given;
      if (kind === '?') throw new Error(`${name}: ${rest}`);
      return kind === '-' ? (rest ?? '') : '';
    },
  );
}

/** The environment of a service's container, given what `.env` holds. */
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
const ownVariables = Object.keys(configSchema.shape);
const sdkVariables = /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|ENDPOINT_URL_[A-Z_]+)$/;

describe('docker-compose.yml', () => {
  test('is YAML without warnings', () => {
    const document = parseDocument(text, { merge: true, strict: true });
    expect([...document.errors, ...document.warnings]).toEqual([]);
  });

  test('has Postgres 18 and a Redis-protocol store, both pinned to a major version', () => {
    expect(serviceOf('postgres').image).toBe('postgres:18');
    expect(serviceOf('redis').image).toBe('valkey/valkey:8');
  });

  test('keeps what the stores hold: Postgres in its folder, the queues in an append-only file, nothing evicted', () => {
    expect(serviceOf('postgres').volumes).toEqual(['postgres:/var/lib/postgresql']);
    expect(serviceOf('redis').volumes).toEqual(['redis:/data']);
    const command = (serviceOf('redis').command ?? []).join(' ');
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(command).toMatch(/--requirepass \$\{REDIS_PASSWORD:\?/);
  });

  test('runs one api and two workers, and lets workers be scaled', () => {
    expect(serviceOf('api').environment['ROLES']).toBe('api');
    expect(serviceOf('worker').environment['ROLES']).toBe('worker');
    expect(serviceOf('worker').deploy).toEqual({ replicas: 2 });
    expect(serviceOf('worker').ports).toEqual([]);
    expect(Object.values(services).map(({ container_name }) => container_name)).not.toContain(expect.any(String));
  });

  test('starts stores, then the api, then workers, each when the one before is healthy', () => {
    const waitsFor = (name: string): string[] =>
      Object.entries(serviceOf(name).depends_on).flatMap(([other, { condition, required }]) =>
        required && condition === 'service_healthy' ? [other] : [],
      );
    expect(waitsFor('api').toSorted()).toEqual(['postgres', 'redis']);
    expect(waitsFor('worker').toSorted()).toEqual(['api', 'postgres', 'redis']);
  });

  test('checks the health of both stores with what their images have', () => {
    expect(serviceOf('postgres').healthcheck?.test.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
    expect(serviceOf('redis').healthcheck?.test).toEqual(['CMD-SHELL', 'test "$$(valkey-cli ping)" = PONG']);
  });

  test('gives a container longer to stop than the process takes', () => {
    const deadlineSeconds = readConfig({}).SHUTDOWN_DEADLINE_MS / 1000;
    for (const name of ['api', 'worker']) {
      expect(Number.parseInt(serviceOf(name).stop_grace_period ?? '', 10)).toBeGreaterThan(deadlineSeconds + 5);
    }
  });

  test('opens to this machine alone, and the stores to nobody', () => {
    expect(serviceOf('api').ports).toEqual(['${PUBLISH:-127.0.0.1:4700}:4700']);
    for (const name of ['postgres', 'redis']) {
      expect(serviceOf(name).ports).toEqual([]);
      expect(serviceOf(name).networks).toEqual(['stores']);
    }
  });

  test('adds the sandbox in the demo alone', () => {
    const inDemo = Object.keys(services).filter((name) => serviceOf(name).profiles.length > 0);
    expect(inDemo).toEqual(['sandbox']);
    expect(serviceOf('sandbox').profiles).toEqual(['demo']);
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
  test('that a container gets are ones that the service or an SDK reads', () => {
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

  test('that docker-compose.yml asks for are explained in .env.example, and none is explained that it does not ask for', () => {
    const asked = new Set([
      ...Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name = '']) => name),
      ...['api', 'worker'].flatMap((name) =>
        Object.entries(serviceOf(name).environment).flatMap(([variable, value]) => (value === null ? [variable] : [])),
      ),
    ]);
    const inDemo = new Set(Object.keys(demo));
    const explained = Object.keys(settingsOf(example, true));
    expect(explained.toSorted()).toEqual(
      [...asked].filter((name) => explained.includes(name) || !inDemo.has(name)).toSorted(),
    );
  });

  test('of .env.example are without values where they are secret', () => {
    expect(settingsOf(example)).toEqual({ POSTGRES_PASSWORD: '', REDIS_PASSWORD: '', SECRETS_KEYS: '' });
  });

  test.each(['api', 'worker'])('of a filled-in .env give a configuration that the %s takes', (name) => {
    const config = readConfig(environmentOf(name, filledIn));
    expect(config.ROLES).toEqual([name]);
    expect(config.DATABASE_URL).toBe(`postgres://waybill:${filledIn.POSTGRES_PASSWORD}@postgres:5432/waybill`);
    expect(config.REDIS_URL).toBe(`redis://:${filledIn.REDIS_PASSWORD}@redis:6379`);
    expect(config.MONITORING_ENDPOINT).toBeUndefined();
  });

  test('of demo.env point every target at the sandbox, and at nothing else', () => {
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
      .filter((image) => image !== 'node:24-slim' && image !== 'runtime');
    expect(foreign).toEqual([]);
  });

  test('ends in the service: not root, with a health check, compiled files and no development packages', () => {
    const last = stages.at(-1) ?? '';
    expect(last).toMatch(/^runtime AS service/);
    expect(last).toContain('HEALTHCHECK');
    expect(last).toContain('COPY --from=build /app/dist/src ./dist/src');
    expect(last).toContain('"dist/src/main.js"]');
    expect(last).toContain('COPY --from=build /app/dist/tools/reconcile ./dist/tools/reconcile');
    const runtime = stages.find((stage) => stage.startsWith('node:24-slim AS runtime')) ?? '';
    expect(runtime).toMatch(/^USER node$/m);
    expect(runtime).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(dockerfile).toContain('npm ci --omit=dev');
  });

  test('installs with the manifest of every workspace package, and ships what each package exports', async () => {
    const packages = await readdir(resolve(root, 'packages'));
    expect(packages).not.toEqual([]);
    const installing = stages.filter((stage) => stage.includes('npm ci'));
    expect(installing).toHaveLength(2);
    for (const name of packages) {
      for (const stage of installing) {
        const beforeInstall = stage.slice(0, stage.indexOf('npm ci'));
        expect(beforeInstall).toContain(`COPY packages/${name}/package.json ./packages/${name}/`);
      }
      const last = stages.at(-1) ?? '';
      expect(last).toContain(`COPY --from=build /app/packages/${name}/package.json ./packages/${name}/`);
      expect(last).toContain(`COPY --from=build /app/packages/${name}/dist ./packages/${name}/dist`);
    }
  });

  test('copies only what .dockerignore lets through, secrets not among it', async () => {
    const ignored = (await read('.dockerignore')).split('\n');
    expect(ignored[0]).toBe('*');
    const letThrough = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(letThrough).toEqual(
      expect.arrayContaining(['src', 'tools', 'packages', 'package.json', 'package-lock.json']),
    );
    expect(letThrough.filter((name) => name.startsWith('.env') || name === '.waybill')).toEqual([]);
  });

  test('starts the sandbox where demo.env expects it', () => {
    const sandbox = stages.find((stage) => stage.startsWith('runtime AS sandbox')) ?? '';
    expect(sandbox).toContain('SANDBOX_PORT=4710');
    expect(sandbox).toContain('SANDBOX_TLS_PORT=4711');
    expect(sandbox).toContain('SANDBOX_PUBLIC_HOST=sandbox');
    expect(sandbox).toContain('SANDBOX_AUTHORITY_FOLDER=/sandbox');
    expect(serviceOf('sandbox').volumes).toEqual(['sandbox:/sandbox']);
    expect(serviceOf('worker').volumes).toEqual(['sandbox:/sandbox:ro']);
  });
});
