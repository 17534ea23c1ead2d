import { Command } from '@commander-js/extra-typings';
import { exitAfterParsing } from '../usage-error.js';
import { startGateway } from './gateway.js';

const command = new Command('npm run gateway --')
  .description('Example of a gateway: follows the configuration of Waybill, and answers for HTTP-response backends.')
  .option('--url <url>', 'address of the data-plane API', 'http://127.0.0.1:4701')
  .option('--port <port>', 'port of the gateway on 127.0.0.1', Number, 4780)
  .addHelpText('after', '\nDATA_PLANE_CONFIG_KEY holds the key of the configuration.')
  .exitOverride(exitAfterParsing)
  .parse();
const { url, port } = command.opts();
const key = process.env.DATA_PLANE_CONFIG_KEY ?? '';
if (key === '') command.error('error: DATA_PLANE_CONFIG_KEY is not set: it holds the key of the configuration');

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const gateway = await startGateway({ dataPlaneUrl: url.replace(/\/+$/, ''), key, port, print });
print(`The gateway answers at ${gateway.url}. The Host header selects the edge.`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void gateway.close().then(() => process.exit(0)));
}
