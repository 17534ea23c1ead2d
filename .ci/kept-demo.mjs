// Runs a demo that stays (`--keep`), as a person does: opens the address of the console that it prints, and ends it
// with Ctrl-C. Fails unless the address signs in once, and the demo then ends without a complaint. Passes on what it
// prints.
import { spawn } from 'node:child_process';

/** How npm ends after Ctrl-C: it depends on the shell that npm uses, not on the demo. */
const INTERRUPTED = [0, 130, 'SIGINT'];

const [command, ...args] = process.argv.slice(2);
// In a group of its own: Ctrl-C in a terminal reaches every process of the group.
const demo = spawn(command, args, { detached: true, stdio: ['ignore', 'inherit', 'pipe'] });
// The shell may end before the demo, which still holds the pipe.
const ended = new Promise((resolve, reject) => {
  demo.once('close', (code, signal) => resolve(code ?? signal));
  demo.once('error', reject);
});

let printed = '';
const link = new Promise((resolve) => {
  demo.stderr.on('data', (chunk) => {
    process.stderr.write(chunk);
    printed += chunk;
    const line = /^Console: (\S+)$/m.exec(printed);
    if (line) resolve(line[1]);
  });
});

const wrong = [];
const address = await Promise.race([link, ended.then(() => null)]);
if (address === null) {
  wrong.push(`It ended with ${await ended}, without an address of the console.`);
} else {
  wrong.push(...(await open(new URL(address))));
  printed = '';
  process.kill(-demo.pid, 'SIGINT');
  const end = await ended;
  // Until the stop, the demo has told everything but complaints about the stop.
  if (printed !== '' || !INTERRUPTED.includes(end))
    wrong.push(`After Ctrl-C it ended with ${end}, and printed: ${printed}`);
}
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
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
    });
    return response.status;
  };
  const html = await fetch(page, { headers: { accept: 'text/html' } });
  const found = [html.status, await signIn(), await signIn()].join(', ');
  return found === '200, 200, 401' ? [] : [`The page, the first and the second sign-in returned ${found}.`];
}
