// Runs a demo that stays (`--keep`), as a person does: opens the address of the console that it prints, and ends it
// with Ctrl-C. Fails unless the address signs in once, and the demo then ends without a complaint. Passes on what it
// prints.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** How npm ends after Ctrl-C: it depends on the shell that npm uses, not on the demo. */
const INTERRUPTED = [0, 130, 'SIGINT'];

/** Longest time for everything, in ms: many times what a machine without other work needs. */
const LONGEST = 900_000;

/** Time for the demo to end after SIGTERM, in ms. */
const LONGEST_STOP = 30_000;

/** Longest time for an answer of the console, in ms. */
const LONGEST_ANSWER = 30_000;

const [command, ...args] = process.argv.slice(2);
// In a group of its own: Ctrl-C in a terminal reaches every process of the group.
const demo = spawn(command, args, { detached: true, stdio: ['ignore', 'inherit', 'pipe'] });
// The shell may end before the demo, which still holds the pipe.
const ended = new Promise((resolve, reject) => {
  demo.once('close', (code, signal) => resolve(code ?? signal));
  demo.once('error', reject);
});
const stopped = new Promise((_, reject) => {
  setTimeout(() => reject(new Error(`The demo took longer than ${LONGEST / 1_000} s.`)), LONGEST).unref();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => reject(new Error(`Ended by ${signal}.`)));
});

let printed = '';
const link = new Promise((resolve) => {
  demo.stderr.on('data', (chunk) => {
    process.stderr.write(chunk);
    printed += chunk;
    // A chunk may end within the address: only a whole line is read.
    const line = /^Console: (\S+)\r?\n/m.exec(printed);
    if (line) resolve(line[1]);
  });
});

let wrong;
try {
  wrong = await Promise.race([complaints(), stopped]);
} catch (error) {
  wrong = [error.message];
} finally {
  await endGroup();
}
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}

/** Uses the demo and ends it. Returns what is wrong. */
async function complaints() {
  const address = await Promise.race([link, ended.then(() => null)]);
  if (address === null) return [`It ended with ${await ended}, without an address of the console.`];
  const found = await open(new URL(address));
  printed = '';
  signalGroup('SIGINT');
  const end = await ended;
  // Until the stop, the demo has told everything but complaints about the stop.
  if (printed !== '' || !INTERRUPTED.includes(end))
    found.push(`After Ctrl-C it ended with ${end}, and printed: ${printed}`);
  return found;
}

/** Ends every process of the group that is left: with SIGTERM, and with SIGKILL those that remain. */
async function endGroup() {
  const deadline = Date.now() + LONGEST_STOP;
  if (!signalGroup('SIGTERM')) return;
  while (Date.now() < deadline) {
    await sleep(100);
    if (!signalGroup(0)) return;
  }
  signalGroup('SIGKILL');
}

/** Signals every process of the group. Returns whether there is one. */
function signalGroup(signal) {
  if (demo.pid === undefined) return false;
  try {
    return process.kill(-demo.pid, signal);
  } catch {
    return false;
  }
}

/** Opens the page, and signs in with its code twice, as the page does it. Returns what is wrong. */
async function open(page) {
  const code = new URLSearchParams(page.hash.slice(1)).get('code');
  const signIn = async () => {
    const headers = { 'content-type': 'application/json', 'service-version': '2' };
    const response = await fetch(new URL('/session', page), {
      method: 'POST',
      headers,
      body: JSON.stringify({ code }),
      signal: AbortSignal.timeout(LONGEST_ANSWER),
    });
    return response.status;
  };
  const html = await fetch(page, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(LONGEST_ANSWER) });
  const found = [html.status, await signIn(), await signIn()].join(', ');
  return found === '200, 200, 401' ? [] : [`The page, the first and the second sign-in returned ${found}.`];
}
