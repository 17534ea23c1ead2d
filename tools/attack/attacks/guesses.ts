import { randomBytes } from 'node:crypto';
import type { Attack } from '../attack.js';
import type { AttackClient, AttackResponse } from '../environment/attack-client.js';

/** Guesses of one kind, from one address. */
const GUESSES = 300;
/** `UNKNOWN_KEYS_PER_MINUTE`. While the guesses last, one more is allowed each second. */
const MOST_GUESSES = 60;

const guess = () => randomBytes(24).toString('base64url');

/** Guesses of keys, cookies, codes and sign-ins, each kind from its own address. */
export const guesses: Attack = {
  name: 'guesses',
  title: `${GUESSES} guesses each of API keys, cookies, sign-ins, sign-in codes and keys of the data plane`,
  // Each kind has its own address.
  settings: { TRUST_PROXY: '1' },
  async run(environment) {
    const { admin } = await environment.account();
    const nobody = environment.client(null);
    const plane = environment.client(null, environment.service.dataPlaneUrl);
    const valid = { token: admin.token };
    type Guess = (index: number, headers: Readonly<Record<string, string>>) => Promise<AttackResponse>;
    const signIn =
      (body: () => unknown): Guess =>
      (index, headers) =>
        // A sign-in that succeeds forgives no guess.
        nobody.send('POST', '/session', index % 5 === 4 ? valid : body(), { headers });
    const read =
      (client: AttackClient, path: string, credential: () => Readonly<Record<string, string>>): Guess =>
      (_, headers) =>
        client.send('GET', path, undefined, { headers: { ...headers, ...credential() } });
    const key = () => ({ authorization: `Bearer ${guess()}` });
    const cookie = () => ({ cookie: `waybill_session=${guess()}` });
    const kinds: readonly (readonly [name: string, guess: Guess])[] = [
      ['API keys', read(nobody, '/events', key)],
      ['cookies', read(nobody, '/events', cookie)],
      ['cookies at the dashboard', read(nobody, '/dashboard', cookie)],
      ['sign-ins', signIn(() => ({ token: guess() }))],
      ['sign-in codes', signIn(() => ({ code: guess() }))],
      ['keys of the data plane', read(plane, '/configuration', key)],
    ];
    for (const [index, [name, send]] of kinds.entries()) {
      const headers = { 'x-forwarded-for': `198.51.100.${index + 1}` };
      const begun = performance.now();
      let judged = 0;
      for (let number = 0; number < GUESSES; number += 1) {
        const { status } = await send(number, headers);
        // A redirect to the sign-in, or a refusal of the credentials: the guess was looked up.
        if (status === 401 || status === 302 || status === 303) judged += 1;
      }
      const limit = MOST_GUESSES + Math.ceil((performance.now() - begun) / 1_000) + 1;
      environment.note(`${judged} of ${GUESSES} ${name} were looked up`);
      environment.expect(
        judged <= limit,
        `${name}: ${judged} of ${GUESSES} guesses were looked up, at most ${limit} may be`,
      );
    }
    const { status } = await admin.send('GET', '/events?limit=1');
    environment.expect(status === 200, `a valid key was refused with ${status} during the guesses`);
  },
};
