#!/usr/bin/env node
// Runs a command of Waybill: `npx waybill accounts list` in a checkout, which is built first where it is not yet, and
// `waybill accounts list` in the image.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { env } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The program of each command, and what it does. */
const commands = {
  accounts: ['dist/src/manage-accounts.js', 'makes accounts and API keys of admins'],
  'rotate-secrets': ['dist/src/rotate-secrets.js', 'encrypts every secret with the first key of SECRETS_KEYS'],
  'declare-recovery': ['dist/src/declare-recovery.js', 'begins a new epoch after a restore of the database'],
  reconcile: ['packages/reconcile/dist/main.js', 'compares what a target holds with what Waybill delivered'],
  verify: ['packages/verify/dist/main.js', 'verifies an export with a signed checkpoint and a public key'],
  sandbox: ['packages/sandbox/dist/main.js', 'simulates the five targets'],
};

const [name = '--help', ...given] = process.argv.slice(2);
if (Object.hasOwn(commands, name)) {
  const [program] = commands[name];
  const file = path.join(root, program);
  if (!existsSync(file)) build();
  // The authority survives restarts, so that Waybill keeps trusting the sandbox.
  if (name === 'sandbox') env.SANDBOX_AUTHORITY_FOLDER ||= '.sandbox';
  process.argv = [process.execPath, file, ...given];
  await import(pathToFileURL(file).href);
} else {
  const width = Math.max(...Object.keys(commands).map(({ length }) => length));
  const lines = Object.entries(commands).map(([command, [, does]]) => `  ${command.padEnd(width)}  ${does}`);
  const usage = ['Usage: waybill <command> [options]', '', ...lines, '', 'waybill <command> --help shows its options.'];
  const isAsked = name === '--help' || name === '-h';
  (isAsked ? process.stdout : process.stderr).write(`${usage.join('\n')}\n`);
  process.exitCode = isAsked ? 0 : 2;
}

/** Standard output is for the results of the command. */
function build() {
  if (!existsSync(path.join(root, 'tsconfig.json'))) throw new Error(`The command ${name} is not in this image.`);
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(2);
}
