import { subscribe } from 'node:diagnostics_channel';

/**
 * Loaded into a process with `--import`. After SIGUSR2, the process stops itself (SIGSTOP) as soon as it has
 * read the head of the next HTTP response. When it continues, it handles that response before any timer fires, as after
 * a pause of its virtual machine. A SIGSTOP from outside would mostly interrupt the wait for events, and Node runs the
 * timers first then.
 */
let isArmed = false;

process.on('SIGUSR2', () => {
  isArmed = true;
});

const stopIfArmed = (): void => {
  if (!isArmed) return;
  isArmed = false;
  process.kill(process.pid, 'SIGSTOP');
};

subscribe('http.client.response.finish', stopIfArmed);
// The same for `fetch`.
subscribe('undici:request:headers', stopIfArmed);
