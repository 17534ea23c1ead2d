import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { readSettings } from '../../examples/orders-api/src/settings.js';
import { interpolate, parseCompose, settingsOf, workspacesIn } from './compose-file.js';

const root = resolve(import.meta.dirname, '../..');
const FOLDER = 'examples/orders-api';
const read = (name: string): Promise<string> => readFile(resolve(root, name), 'utf8');

const text = await read(`${FOLDER}/docker-compose.yml`);
const { services, include, networks, volumes, name: project } = parseCompose(text);
const waybill = parseCompose(await read('docker-compose.yml'));
const dockerfile = await read(`${FOLDER}/Dockerfile`);
const settings = { POSTGRES_PASSWORD: 'ab'.repeat(24), BOOTSTRAP_API_KEY: 'cd'.repeat(24) };
const own = ['orders-migrate', 'orders-setup', 'orders-api', 'orders-relay'];

function serviceOf(name: string): (typeof services)[string] {
  const found = services[name];
  if (!found) throw new Error(`There is no service ${name}.`);
  return found;
}

function environmentOf(name: string): Record<string, string> {
  const entries = Object.entries(serviceOf(name).environment);
  return Object.fromEntries(entries.map(([variable, value]) => [variable, interpolate(value ?? '', settings)]));
}

describe('docker-compose.yml of the orders API', () => {
  test('is YAML without warnings', () => {
    const document = parseDocument(text, { merge: true, strict: true });
    expect([...document.errors, ...document.warnings]).toEqual([]);
  });

  test('includes that of Waybill, and redefines nothing of it', () => {
    expect(include).toEqual(['../../docker-compose.yml']);
    expect(project).not.toBe(waybill.name);
    const taken = (part: object, ofWaybill: object) => Object.keys(part).filter((name) => name in ofWaybill);
    expect(taken(services, waybill.services)).toEqual([]);
    expect(taken(networks, waybill.networks)).toEqual([]);
    expect(taken(volumes, waybill.volumes)).toEqual([]);
  });

  test('refers only to services, networks and volumes that one of the two files has', () => {
    const known = { ...services, ...waybill.services };
    for (const name of Object.keys(services)) {
      const { depends_on: dependsOn, networks: joined, volumes: mounted } = serviceOf(name);
      expect(Object.keys(dependsOn).filter((other) => !(other in known))).toEqual([]);
      expect(joined.filter((network) => !(network in networks) && !(network in waybill.networks))).toEqual([]);
      expect(mounted.map((mount) => mount.split(':')[0] ?? '').filter((volume) => !(volume in volumes))).toEqual([]);
    }
  });

  test('starts the API after the migration, and the relay after the setup too', () => {
    const waitsFor = (name: string) =>
      Object.entries(serviceOf(name).depends_on).map(([other, { condition }]) => [other, condition]);
    expect(waitsFor('orders-migrate')).toEqual([['orders-postgres', 'service_healthy']]);
    expect(waitsFor('orders-setup')).toContainEqual(['api', 'service_healthy']);
    expect(waitsFor('orders-api')).toEqual([['orders-migrate', 'service_completed_successfully']]);
    expect(waitsFor('orders-relay')).toEqual([
      ['orders-migrate', 'service_completed_successfully'],
      ['orders-setup', 'service_completed_successfully'],
    ]);
  });

  test('gives every process valid settings, and the same database', () => {
    for (const name of own)
      expect(readSettings(environmentOf(name)).DATABASE_URL).toMatch(/@orders-postgres:5432\/orders$/);
    const {
      POSTGRES_USER: user,
      POSTGRES_DB: database,
      POSTGRES_PASSWORD: password,
    } = environmentOf('orders-postgres');
    expect(environmentOf('orders-api')['DATABASE_URL']).toBe(
      `postgres://${user}:${password}@orders-postgres:5432/${database}`,
    );
    expect(environmentOf('orders-relay')['WAYBILL_URL']).toBe('http://proxy:4700');
  });

  test('shares the key of the relay through a volume that the setup alone can write', () => {
    expect(environmentOf('orders-setup')['PUBLISHER_KEY_FILE']).toBe('/keys/publisher');
    expect(serviceOf('orders-setup').volumes).toEqual(['orders-keys:/keys']);
    expect(serviceOf('orders-relay').volumes).toEqual(['orders-keys:/keys:ro']);
    expect((serviceOf('orders-relay').command ?? []).at(-1)).toContain('$$(cat /keys/publisher)');
    expect(dockerfile).toContain('mkdir /keys && chown node:node /keys');
  });

  test('publishes the API on loopback only, and the database on no port and no outside network', () => {
    expect(serviceOf('orders-api').ports).toEqual(['127.0.0.1:4800:4800']);
    expect(Object.keys(services).filter((name) => serviceOf(name).ports.length > 0)).toEqual(['orders-api']);
    expect(serviceOf('orders-postgres').networks).toEqual(['orders']);
    expect(networks['orders']).toEqual({ internal: true });
  });

  test('holds no secret, and needs only settings that .env.example explains', async () => {
    const explained = Object.keys(settingsOf(await read('.env.example'), true));
    const asked = Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, variable = '']) => variable);
    expect([...new Set(asked)].filter((variable) => !explained.includes(variable))).toEqual([]);
    for (const name of Object.keys(services)) {
      for (const [variable, value] of Object.entries(serviceOf(name).environment)) {
        if (/PASSWORD|_KEY$|DATABASE_URL$/.test(variable)) expect(value).toMatch(/\$\{[A-Z_]+:\?/);
      }
    }
  });

  test('uses the Postgres of Waybill’s file', () => {
    expect(serviceOf('orders-postgres').image).toBe(waybill.services['postgres']?.image);
  });
});

describe('the Dockerfile of the orders API', () => {
  test('installs with the manifest of every workspace', async () => {
    for (const parent of ['packages', 'examples']) {
      const names = await workspacesIn(resolve(root, parent));
      expect(names).not.toEqual([]);
      for (const name of names)
        expect(dockerfile).toContain(`COPY ${parent}/${name}/package.json ./${parent}/${name}/`);
    }
  });

  test('builds on the image of the service, and runs as an ordinary user', async () => {
    const [, image = ''] = /^FROM (node:\S+)/m.exec(await read('Dockerfile')) ?? [];
    expect(Array.from(dockerfile.matchAll(/^FROM (node:\S+)/gm), ([, from]) => from)).toEqual([image, image]);
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  test('ships every program that the compose file starts, and the tables', () => {
    expect(dockerfile).toContain('COPY --from=build /app/examples/orders-api/dist ./dist');
    expect(dockerfile).toContain('/app/examples/orders-api/schema.sql');
    const programs = own.flatMap((name) => (serviceOf(name).command ?? []).filter((word) => word.startsWith('dist/')));
    expect(programs).toEqual(['dist/migrate.js', 'dist/set-up-waybill.js']);
  });
});
