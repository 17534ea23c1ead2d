import { Command, InvalidArgumentError, Option } from 'commander';
import { RelayDatabase } from '../relay/relay-database.js';
import { StatusStore } from '../relay/status-store.js';
import { installOutbox } from '../schema/install-outbox.js';
import { outboxSchema } from '../schema/outbox-schema.js';
import { uninstallOutbox } from '../schema/uninstall-outbox.js';
import { triggerSql, type TriggerOptions } from '../triggers/trigger-sql.js';
import { INVALID_USE, NEEDS_ATTENTION } from './exit-codes.js';
import {
  discardRejected,
  listRejected,
  repairRejected,
  retryRejected,
  showRejected,
  type RepairCommandOptions,
} from './rejected-commands.js';
import { relayCommand, type RelayCommandOptions } from './relay-command.js';
import { print, runCommand, runOnDatabase } from './run-command.js';
import { needsAttention, statusReport } from './status-report.js';
import { VERSION } from './version.js';

const HELP = `
Environment:
  DATABASE_URL     connection string of the database with the outbox
  WAYBILL_URL      address of Waybill, for "relay"
  WAYBILL_API_KEY  API key, for "relay"; the role "publisher" is enough

Exit code: 0 for success, 1 for a failure, 2 for invalid options or settings. "status" ends with 3 if an event is rejected, or
has waited for longer than --max-age.`;

/** Defines the command line. */
export function program(): Command {
  const command = new Command('npx @waybill/outbox')
    .description('The transactional outbox of Waybill: schema, relay, and the events that Waybill has rejected.')
    .version(VERSION)
    .addHelpText('after', HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : INVALID_USE));
  addSchemaCommands(command);
  addRelayCommands(command);
  addRejectedCommands(command);
  return command;
}

function addSchemaCommands(command: Command): void {
  command
    .command('schema')
    .description('print the SQL that creates the outbox')
    .action(() => runCommand(() => print(outboxSchema())));
  command
    .command('install')
    .description('create the outbox in the database, or upgrade it')
    .action(() =>
      runOnDatabase(async (pool) => {
        await installOutbox(pool);
        print('The outbox is installed.');
      }),
    );
  command
    .command('uninstall')
    .description('drop the outbox and its triggers; fails while events wait or are rejected')
    .option('--drop-events', 'drop these events as well: they are never published')
    .action(({ dropEvents = false }: { readonly dropEvents?: boolean }) =>
      runOnDatabase(async (pool) => {
        const tables = await new RelayDatabase(pool).transaction((client) => uninstallOutbox(client, dropEvents));
        print(['The outbox is dropped.', ...tables.map((name) => `No longer recorded: ${name}`)].join('\n'));
      }),
    );
  command
    .command('trigger')
    .description('print the SQL of triggers that record every change of a table')
    .requiredOption('--table <name>', 'table, such as public.orders')
    .requiredOption('--type <name>', 'resource type at Waybill, such as order')
    .option('--type-version <number>', 'version of the resource type (default: 0)', wholeNumber)
    .option('--id <columns>', 'columns that identify a row, comma-separated (default: id)', list)
    .option('--exclude <columns>', 'columns that no event shows, comma-separated', list)
    .option('--text <columns>', 'numeric columns that events show as text, comma-separated', list)
    .option('--soft-delete <column>', 'column of soft deletes, such as deleted_at')
    .action(({ typeVersion, ...options }: TriggerOptions & { readonly typeVersion?: number }) =>
      runCommand(() => print(triggerSql({ ...options, ...(typeVersion !== undefined && { version: typeVersion }) }))),
    );
}

function addRelayCommands(command: Command): void {
  command
    .command('relay')
    .description('publish the recorded events until SIGTERM; the log is JSON lines on standard output')
    .option('--batch-size <number>', 'most events of a request, 1 to 500 (default: 500)', wholeNumber)
    .option('--poll-interval-ms <number>', 'longest time between two looks at the outbox (default: 1000)', wholeNumber)
    .option('--lease-ms <number>', 'time until another relay takes over from a dead one (default: 15000)', wholeNumber)
    .addOption(
      new Option('--after-rejection <mode>', 'whether later events of a resource wait for its rejected event')
        .choices(['hold', 'continue'])
        .default('hold'),
    )
    .option('--require-principal', 'reject events that do not say who made the change, and do not send them')
    .option('--port <number>', 'serve /livez, /readyz and /metrics on this port (default: no server)', wholeNumber)
    .option('--host <address>', 'address of that server', '127.0.0.1')
    .action((options: RelayCommandOptions) => relayCommand(options));
  command
    .command('status')
    .description('show what waits, what was published, and why nothing is')
    .option('--json', 'print one JSON document')
    .option('--max-age <seconds>', 'end with 3 if an event has waited for longer', wholeNumber, 300)
    .action(({ json, maxAge }: { readonly json?: boolean; readonly maxAge: number }) =>
      runOnDatabase(async (pool) => {
        const status = await new StatusStore(new RelayDatabase(pool)).status();
        print(json ? JSON.stringify(status) : statusReport(status));
        if (needsAttention(status, maxAge)) process.exitCode = NEEDS_ATTENTION;
      }),
    );
}

function addRejectedCommands(command: Command): void {
  const rejected = command
    .command('rejected')
    .description('list the events that Waybill has rejected, oldest first')
    .option('--limit <number>', 'most events', wholeNumber, 1_000)
    .option('--json', 'print one JSON document')
    .action((options: { readonly limit: number; readonly json?: boolean }) => listRejected(options));
  rejected
    .command('retry')
    .description('return a rejected event to the outbox, before the later events of its resource')
    .argument('[event_id]', 'id of the event')
    .option('--all', 'return every rejected event')
    .action((eventId: string | undefined, options: { readonly all?: boolean }) => retryRejected(eventId, options));
  rejected
    .command('show')
    .description('print the content of a rejected event as JSON')
    .argument('<event_id>', 'id of the event')
    .action((eventId: string) => showRejected(eventId));
  rejected
    .command('repair')
    .description('replace a rejected event by an edited one, and return it to the outbox; the original is kept')
    .argument('<event_id>', 'id of the event')
    .requiredOption('--file <path>', 'edited event as JSON, as "show" prints it')
    .requiredOption('--by <name>', 'who edits it; delivered events show it')
    .requiredOption('--reason <text>', 'why; delivered events show it')
    .action((eventId: string, options: RepairCommandOptions) => repairRejected(eventId, options));
  rejected
    .command('discard')
    .description('delete a rejected event: it is never published')
    .argument('<event_id>', 'id of the event')
    .action((eventId: string) => discardRejected(eventId));
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

function list(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}
