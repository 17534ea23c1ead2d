import { commandLine, fromCommandLine } from '../command-line.js';
import { startSandbox } from './start-sandbox.js';

const { SANDBOX_HOST, SANDBOX_PORT, SANDBOX_TLS_PORT, SANDBOX_PUBLIC_HOST, SANDBOX_AUTHORITY_FOLDER } =
  process.env;

/** Runs the sandbox alone: prints its addresses and environment as one line of JSON, ends on SIGTERM or SIGINT. See README.md. */
const sandboxCommandLine = commandLine(
  {
    call: 'npm run sandbox -- [options]',
    about: 'Stands in for the five clouds until Ctrl+C. tools/sandbox/README.md tells what it does.',
    options: {
      host: {
        type: 'string',
        value: '<host>',
        default: SANDBOX_HOST || '127.0.0.1',
        help: 'address to listen on',
      },
      port: {
        type: 'string',
        value: '<port>',
        default: SANDBOX_PORT || '4710',
        help: 'plain HTTP: AWS, Datadog, the controls',
      },
      'tls-port': {
        type: 'string',
        value: '<port>',
        default: SANDBOX_TLS_PORT || '4711',
        help: 'HTTPS: Azure and Entra, and all the rest',
      },
      'public-host': {
        type: 'string',
        value: '<host>',
        default: SANDBOX_PUBLIC_HOST || '',
        help: 'name under which others reach it',
      },
      'authority-folder': {
        type: 'string',
        value: '<folder>',
        default: SANDBOX_AUTHORITY_FOLDER || '',
        help: 'folder for the certificate of its authority, ca.pem',
      },
      'count-only': {
        type: 'boolean',
        default: process.env['SANDBOX_COUNT_ONLY'] === 'true',
        help: 'count what arrives and forget it',
      },
    },
    more: 'Each can be set by a variable as well, such as SANDBOX_TLS_PORT. Port 0 takes a free one.',
  },
  ({ values }) => ({
    host: values.host,
    httpPort: portOf('port', values.port),
    tlsPort: portOf('tls-port', values['tls-port']),
    countOnly: values['count-only'],
    ...(values['public-host'] === '' ? {} : { publicHost: values['public-host'] }),
    ...(values['authority-folder'] === '' ? {} : { authorityFolder: values['authority-folder'] }),
  }),
);

const sandbox = await startSandbox(fromCommandLine(sandboxCommandLine));

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
  throw new Error(`--${name} takes a port from 0 to 65535, not "${text}".`);
}
