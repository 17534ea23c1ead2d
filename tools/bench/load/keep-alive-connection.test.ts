import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { KeepAliveConnection, parseResponse } from './keep-alive-connection.js';

const RESPONSE = 'HTTP/1.1 201 Created\r\nOperation-Id: op_1\r\nContent-Length: 4\r\n\r\nbody';

describe('parseResponse', () => {
  it('waits for the last byte of the body', () => {
    for (let length = 0; length < RESPONSE.length; length += 1)
      expect(parseResponse(RESPONSE.slice(0, length), 5)).toBeNull();
    expect(parseResponse(RESPONSE, 5)).toEqual({ status: 201, operationId: 'op_1', atMs: 5 });
  });
});

describe('KeepAliveConnection', () => {
  it('posts one request after the other on one connection', async () => {
    const sockets = new Set<unknown>();
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      sockets.add(request.socket);
      request
        .setEncoding('utf8')
        .on('data', (text: string) => bodies.push(`${String(request.headers['x-a'])} ${text}`));
      request.on('end', () => {
        response.writeHead(201, { 'content-length': 9, 'operation-id': `op_${bodies.length}` });
        response.write('grü');
        setTimeout(() => response.end('ße…'.slice(0, 2) + 'xx'), 5);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address() as { port: number };
    const connection = await KeepAliveConnection.open(`http://127.0.0.1:${address.port}`, { 'x-a': 'b' });
    const before = Date.now();
    const first = await connection.post('/x', '{"a":"ü"}');
    // The clock of `atMs` is finer.
    expect(first.atMs).toBeGreaterThan(before - 10);
    expect(first.atMs).toBeLessThan(Date.now() + 10);
    const second = await connection.post('/x', '{}');
    expect([first.status, first.operationId, second.operationId]).toEqual([201, 'op_1', 'op_2']);
    expect(bodies).toEqual(['b {"a":"ü"}', 'b {}']);
    expect(sockets.size).toBe(1);
    const lost = connection.post('/x', '{}');
    server.closeAllConnections();
    await expect(lost).rejects.toThrow(/closed|ECONNRESET/);
    server.close();
    connection.close();
  });
});
