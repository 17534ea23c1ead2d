import { describe, expect, it } from 'vitest';
import { Session } from './session.js';

const calm = new AbortController().signal;
const failing = (name: string): Error => Object.assign(new Error('no'), { name, $metadata: { httpStatusCode: 400 } });

/** A session over numbered clients, and how many were opened. */
function numbered(): { session: Session<number>; opened: () => number } {
  let opened = 0;
  const session = new Session(async () => (opened += 1));
  return { session, opened: () => opened };
}

/** Makes a call that fails each time. Returns the clients that it was tried with. */
async function refused(session: Session<number>, name: string): Promise<readonly number[]> {
  const clients: number[] = [];
  const call = session.call(async (client) => {
    clients.push(client);
    throw failing(name);
  }, calm);
  await expect(call).rejects.toMatchObject({ name });
  return clients;
}

describe('a session over a client', () => {
  it('opens one client for calls at the same time and after', async () => {
    const { session, opened } = numbered();
    const clients = await Promise.all([1, 2].map(() => session.call(async (client) => client, calm)));
    expect([...clients, await session.call(async (client) => client, calm)]).toEqual([1, 1, 1]);
    expect(opened()).toBe(1);
  });

  it('tries once more with a new client when the credentials have expired, and no more than once', async () => {
    const { session, opened } = numbered();
    const result = await session.call(async (client) => {
      if (client === 1) throw failing('ExpiredTokenException');
      return client;
    }, calm);
    expect(result).toBe(2);
    const always = session.call(async () => {
      throw failing('ExpiredTokenException');
    }, calm);
    await expect(always).rejects.toMatchObject({ name: 'ExpiredTokenException' });
    expect(opened()).toBe(3);
    expect(await session.call(async (client) => client, calm)).toBe(4);
  });

  it.each(['InvalidSignatureException', 'SignatureDoesNotMatch', 'RequestExpired', 'RequestTimeTooSkewed'])(
    'tries once more with the same client, which has the time of the response, after %s',
    async (name) => {
      const { session } = numbered();
      const clients = await refused(session, name);
      expect(clients).toEqual([1, 1]);
    },
  );

  it.each(['AccessDeniedException', 'UnrecognizedClientException'])(
    'uses a new client for the call after %s: a role may have been recreated',
    async (name) => {
      const { session } = numbered();
      const clients = await refused(session, name);
      expect(clients).toEqual([1]);
      expect(await session.call(async (client) => client, calm)).toBe(2);
    },
  );

  it('throws anything else at once', async () => {
    const { session } = numbered();
    let calls = 0;
    const call = session.call(async () => {
      calls += 1;
      throw failing('ThrottlingException');
    }, calm);
    await expect(call).rejects.toMatchObject({ name: 'ThrottlingException' });
    expect(calls).toBe(1);
  });

  it('opens again what could not be opened', async () => {
    let opened = 0;
    const session = new Session(async () => {
      opened += 1;
      if (opened === 1) throw new Error('not now');
      return opened;
    });
    await expect(session.call(async (client) => client, calm)).rejects.toThrow('not now');
    expect(await session.call(async (client) => client, calm)).toBe(2);
  });

  it('ends the wait when the signal aborts, whatever the client waits for', async () => {
    const { session } = numbered();
    const call = session.call(() => new Promise<never>(() => undefined), AbortSignal.timeout(20));
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    const early = session.call(() => Promise.reject(new Error('late')), AbortSignal.abort());
    await expect(early).rejects.toMatchObject({ name: 'AbortError' });
  });
});
