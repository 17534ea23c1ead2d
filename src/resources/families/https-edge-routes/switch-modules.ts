import { z } from 'zod';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { defineModule } from '../../framework/definition/modules.js';

/** Compression of responses for clients that accept it. */
export const compressionModule = defineModule({
  name: 'compression',
  title: 'compression',
  input: z.strictObject({ enabled }),
  read: z
    .object({ enabled })
    .meta({ id: 'CompressionModule', description: 'Compresses responses for clients that accept it.' }),
});

/** Conversion of WebSocket connections to plain TCP. */
export const websocketTcpConverterModule = defineModule({
  name: 'websocket_tcp_converter',
  title: 'WebSocket to TCP converter',
  input: z.strictObject({ enabled }),
  read: z.object({ enabled }).meta({
    id: 'WebsocketTcpConverterModule',
    description: 'Sends the data of binary WebSocket messages upstream as plain TCP.',
  }),
});
