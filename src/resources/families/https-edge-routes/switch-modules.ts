import { defineModule } from '../../framework/definition/modules.js';

/** Compression of responses for clients that accept it. */
export const compressionModule = defineModule({
  name: 'compression',
  title: 'compression',
  description: 'Compresses responses for clients that accept it.',
  input: {},
});

/** Conversion of WebSocket connections to plain TCP. */
export const websocketTcpConverterModule = defineModule({
  name: 'websocket_tcp_converter',
  title: 'WebSocket to TCP converter',
  description: 'Sends the data of binary WebSocket messages upstream as plain TCP.',
  input: {},
});
