import { Command } from '@commander-js/extra-typings';
import { readConfig } from './config/config.js';
import { openStoreBeside } from './database/store.js';
import { logDestination } from './logging/log-destination.js';
import { createLogger } from './logging/logger.js';
import { OperatorAccounts, type AdminKey } from './operator-accounts.js';

/** Longest name of an account and description of a key, in bytes. */
const LONGEST_TEXT = 255;

const program = new Command('waybill accounts').description(
  'Makes accounts and API keys of admins. Needs the settings of the service, which may run or not. See docs/operations.md.',
);
program
  .command('create')
  .description('create an account with an admin and an API key, and print the key once')
  .requiredOption('--name <name>', 'name of the account', shortText)
  .action(({ name }) => run(async (accounts) => say(...linesOf(await accounts.create(name)))));
program
  .command('admin-key')
  .description('create another API key of the admin of an account, and print it once')
  .option('--account <id>', 'the account; may be left out if there is only one')
  .option('--description <text>', 'description of the key', shortText, 'Made by the operator.')
  .action(({ account, description }) =>
    run(async (accounts) => say(...linesOf(await accounts.createAdminKey(account, description)))),
  );
program
  .command('list')
  .description('list the accounts, with the number of the API keys of their admins')
  .action(() =>
    run(async (accounts) => {
      for (const { id, name, createdAt, adminKeys } of await accounts.list())
        say(`${id}  ${createdAt.toISOString()}  admin keys: ${adminKeys}  ${JSON.stringify(name)}`);
    }),
  );

function shortText(text: string): string {
  if (text.trim() !== '' && Buffer.byteLength(text) <= LONGEST_TEXT && !text.includes('\0')) return text;
  throw new Error(`The text must have 1 to ${LONGEST_TEXT} bytes of UTF-8.`);
}

async function run(work: (accounts: OperatorAccounts) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const store = await openStoreBeside(
    config,
    createLogger('error', logDestination(config.LOG_FORMAT)),
    'waybill accounts',
  );
  try {
    const baseUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
    await work(new OperatorAccounts(store.db, baseUrl));
  } finally {
    await store.close();
  }
}

function linesOf({ accountId, adminId, keyId, token }: AdminKey): readonly string[] {
  return [
    `account: ${accountId}`,
    `admin:   ${adminId}`,
    `key:     ${keyId}`,
    `token:   ${token}`,
    'Store the token: it is not shown again.',
  ];
}

function say(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
