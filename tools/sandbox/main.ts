import { parseArgs } from 'node:util';
import { fromCommandLine } from '../command-line.js';
import { startSandbox } from './start-sandbox.js';

/** Runs the sandbox alone: prints its addresses and environment as one line of JSON, ends on SIGTERM or SIGINT. See README.md. */
const options = fromCommandLine(() => {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: process.env['SANDBOX_HOST'] ?? '127.0.0.1' },
      port: { type: 'string', default: process.env['SANDBOX_PORT'] ?? '4710' },
      'tls-port': { type: 'string', default: process.env['SANDBOX_TLS_PORT'] ?? '4711' },
      'public-host': { type: 'string', default: process.env['SANDBOX_PUBLIC_HOST'] ?? '' },
      'authority-folder': { type: 'string', default: process.env['SANDBOX_AUTHORITY_FOLDER'] ?? '' },
      'count-only': { type: 'boolean', default: process.env['SANDBOX_COUNT_ONLY'] === 'true' },
    },
  });
  return {
    host: values.host,
    httpPort: portOf('port', values.port),
    tlsPort: portOf('tls-port', values['tls-port']),
    countOnly: values['count-only'],
    ...(values['public-host'] === '' ? {} : { publicHost: values['public-host'] }),
    ...(values['authority-folder'] === '' ? {} : { authorityFolder: values['authority-folder'] }),
  };
});

const sandbox = await startSandbox(options);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void sandbox.close().then(() => process.exit(0));
  });
}

const { url, tlsUrl, caFile, environment } = sandbox;
process.stdout.write(`${JSON.stringify({ url, tlsUrl, caFile, environment })}\n`);

function portOf(name: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`The sandbox cannot listen: ${name} is not a port: ${text}`);
}
