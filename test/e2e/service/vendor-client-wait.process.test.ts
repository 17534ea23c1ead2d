import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@waybill/embedded-postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../../src/database/store.js';
import { waitForClients } from '../../../tools/demo/vendor-clients.js';
import { ApiClient } from '../../../tools/harness/api-client.js';
import { demoTargets } from '../../../tools/harness/destinations.js';
import { createTestStore } from '../../support/database.js';
import { testSecretsKeys } from '../../support/secrets.js';
import { ADMIN_KEY } from '../../support/test-service.js';
import { Programs, says } from './process-run.js';

const programs = new Programs();
let store: Store;
let gate: Server;
beforeAll(async () => {
  store = await createTestStore();
  gate = createServer().listen(0, '127.0.0.1');
  await once(gate, 'listening');
});
afterAll(async () => {
  programs.close();
  gate.close();
  await store.close();
});

const moduleOf = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

/** Options of Node for a service that loads the client of Kinesis only when the gate has responded. */
function behindGate(): readonly string[] {
  const { port } = gate.address() as AddressInfo;
  const hooks = moduleOf(`
    export async function load(url, context, next) {
      if (url.endsWith('/aws-kinesis/vendor.js')) await fetch('http://127.0.0.1:${port}');
      return next(url, context);
    }`);
  return ['--import', moduleOf(`import { register } from 'node:module'; register(${JSON.stringify(hooks)});`)];
}

it('the demo says that it waits while its service loads the client of a vendor, and when that is loaded', async () => {
  const port = String(await freePort());
  const service = programs.start([...behindGate(), 'service/main.js'], {
    DATABASE_URL: store.connectionString,
    SECRETS_KEYS: testSecretsKeys,
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    PORT: port,
  });
  await says(service, '"msg":"ready"');
  const asked = once(gate, 'request') as Promise<[unknown, ServerResponse]>;
  const admin = new ApiClient(`http://127.0.0.1:${port}`, ADMIN_KEY);
  await admin.create('/event_destinations', { target: { data_stream: demoTargets.data_stream } });
  const [, response] = await asked;

  const printed: string[] = [];
  let isTold = (): void => undefined;
  const told = new Promise<void>((resolve) => (isTold = resolve));
  const loaded = waitForClients(admin.baseUrl, {
    print: (text) => {
      printed.push(text);
      isTold();
    },
  });
  await told;
  expect(printed).toEqual(["Waiting until the vendor's client is loaded for: data_stream"]);
  response.end();
  await loaded;
  expect(printed.slice(1)).toEqual([expect.stringMatching(/^The vendors' clients are loaded after \d+\.\d s\.$/)]);
});
