import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startSandbox } from './start-sandbox.js';

describe('startSandbox', () => {
  it('names the public host in its addresses and its certificate', async () => {
    const sandbox = await startSandbox({ publicHost: 'stand-in.test' });
    expect(new URL(sandbox.url).hostname).toBe('stand-in.test');
    expect(sandbox.environment['LOG_INGESTION_ENDPOINT']).toBe(sandbox.tlsUrl);
    const sent = request({
      host: '127.0.0.1',
      port: new URL(sandbox.tlsUrl).port,
      servername: 'stand-in.test',
      path: '/_sandbox/health',
      ca: await readFile(sandbox.caFile),
    });
    sent.end();
    expect(await once(sent, 'response')).toMatchObject([{ statusCode: 200 }]);
    await sandbox.close();
  });

  it('keeps two sandboxes apart', async () => {
    const [one, two] = await Promise.all([startSandbox(), startSandbox()]);
    one.script({ kind: 'deny' });
    const response = await fetch(`${two.url}/api/v2/logs`, {
      method: 'POST',
      headers: { 'dd-api-key': 'key' },
      body: '[{"message":"a"}]',
    });
    expect(response.status).toBe(202);
    expect(one.received()).toEqual([]);
    expect(two.received()).toHaveLength(1);
    await Promise.all([one.close(), two.close()]);
  });

  it('refuses connections while it does not listen, and keeps the received events', async () => {
    const sandbox = await startSandbox();
    const post = (message: string) =>
      fetch(`${sandbox.url}/api/v2/logs`, {
        method: 'POST',
        headers: { 'dd-api-key': 'key' },
        body: JSON.stringify([{ message }]),
      });
    await post('before');
    await sandbox.stopListening();
    await expect(post('away')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await sandbox.resumeListening();
    expect((await post('after')).status).toBe(202);
    expect(sandbox.received()).toMatchObject([{ body: 'before' }, { body: 'after' }]);
    await sandbox.stopListening();
    await sandbox.close();
    await sandbox.resumeListening();
    await expect(post('closed')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('leaves no file behind', async () => {
    const sandbox = await startSandbox();
    await sandbox.close();
    await expect(stat(sandbox.caFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('names the port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(startSandbox({ tlsPort: port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
    other.close();
  });
});
