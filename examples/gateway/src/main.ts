import { env } from 'node:process';
import { startGateway } from './gateway.js';

const { DATA_PLANE_URL = 'http://127.0.0.1:4701', DATA_PLANE_CONFIG_KEY: key = '', PORT = '4780' } = env;
if (key === '') throw new Error('DATA_PLANE_CONFIG_KEY is not set: it holds the key of the configuration.');

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const gateway = await startGateway({
  dataPlaneUrl: DATA_PLANE_URL.replace(/\/+$/, ''),
  key,
  port: Number(PORT),
  print,
});
print(`The gateway answers at ${gateway.url}. The Host header selects the edge.`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void gateway.close().then(() => process.exit(0)));
}
