import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { startSandbox } from './start-sandbox.js';

/**
 * Runs the sandbox until SIGTERM or SIGINT. Prints its addresses and environment as one line of JSON. See README.md.
 */
const { host, port, tlsPort, publicHost, authorityFolder, countOnly } = new Command('waybill sandbox')
  .description('Simulates the five targets until Ctrl+C. See packages/sandbox/README.md.')
  .addOption(setting('--host <host>', 'address to listen on', 'SANDBOX_HOST').default('127.0.0.1'))
  .addOption(
    setting('--port <port>', 'port for HTTP: AWS, Datadog, controls', 'SANDBOX_PORT').default(4710).argParser(portOr),
  )
  .addOption(
    setting('--tls-port <port>', 'port for HTTPS: Azure, Entra, all others', 'SANDBOX_TLS_PORT')
      .default(4711)
      .argParser(portOr),
  )
  .addOption(setting('--public-host <host>', 'host name that clients use', 'SANDBOX_PUBLIC_HOST'))
  .addOption(
    setting('--authority-folder <folder>', 'folder for the CA certificate, ca.pem', 'SANDBOX_AUTHORITY_FOLDER'),
  )
  .option(
    '--count-only',
    'count events without keeping them (env: SANDBOX_COUNT_ONLY=true)',
    process.env['SANDBOX_COUNT_ONLY'] === 'true',
  )
  .addHelpText('after', '\nPort 0 takes a free port.')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts();

const sandbox = await startSandbox({
  host,
  httpPort: port,
  tlsPort,
  countOnly,
  ...(publicHost && { publicHost }),
  ...(authorityFolder && { authorityFolder }),
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void sandbox.close().then(() => process.exit(0));
  });
}

const { url, tlsUrl, caFile, environment } = sandbox;
process.stdout.write(`${JSON.stringify({ url, tlsUrl, caFile, environment })}\n`);

/** Defines an option that an environment variable can set too; an empty value counts as unset. */
function setting<Flags extends string>(flags: Flags, description: string, variable: string) {
  return new Option(flags, description)
    .env(variable)
    .argParser((text, otherwise: string | undefined) => text || otherwise);
}

function portOr(text: string, otherwise: number): number {
  if (text === '') return otherwise;
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= 65_535) return number;
  throw new InvalidArgumentError('Use a port from 0 to 65535.');
}
