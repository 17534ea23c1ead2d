import type { AttackEnvironment } from './environment/attack-environment.js';

/**
 * One class of attack on a running service, with valid keys or from outside.
 *
 * To write one: add a file in `attacks/` that exports an `Attack`, and a line in `attacks.ts`. The service has the
 * default limits and the heap of the image; a service that ended is started again for the next attack.
 *
 *     const { admin } = await environment.account();        // a new account, with a client of its admin
 *     const key = await environment.key(admin, 'auditor');  // a client with a key of a role
 *     const { status } = await key.send('GET', '/events');  // never throws for a status
 *     await environment.pipeline(key, '/events', 300);      // requests on one socket, without waiting for a response
 *     environment.expect(status !== 200, 'what must hold');
 *
 * After every attack these hold: the process lives, no response was a 5xx but a 503 with `Retry-After`, no turn of the
 * event loop was longer than `LONGEST_TURN_MS`, and a quiet account beside it got a 200 for each of its requests, soon.
 */
export interface Attack {
  /** Name for `--only` and the table: lower case with hyphens. */
  readonly name: string;
  /** What is tried, in one line. */
  readonly title: string;
  /** Leaves it out of `--short`. */
  readonly onlyInFull?: true;
  /** Settings of the service that the attack needs beside the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  run(environment: AttackEnvironment): Promise<void>;
}

/**
 * Longest turn of the event loop, in milliseconds of CPU time of the main thread: others wait at least as long. Other
 * programs on the machine do not count.
 */
export const LONGEST_TURN_MS = 250;
