import { z } from 'zod';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { defineModule } from '../../framework/modules.js';

/** WebSocket connections that go upstream as plain TCP. */
export const websocketTcpConverterModule = defineModule({
  name: 'websocket_tcp_converter',
  title: 'WebSocket to TCP converter',
  input: z.strictObject({ enabled }),
  read: z.object({ enabled }).meta({
    id: 'WebsocketTcpConverterModule',
    description: 'Takes the data out of binary WebSocket messages and sends it upstream as plain TCP.',
  }),
});
