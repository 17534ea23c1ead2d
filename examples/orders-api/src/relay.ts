// Publishes what is in the outbox.
import { startRelay } from '@waybill/outbox';
import pg from 'pg';
import { z } from 'zod';
import { parseEnvironment } from './settings.js';

const settings = parseEnvironment(
  z.object({ DATABASE_URL: z.string(), WAYBILL_URL: z.string(), WAYBILL_API_KEY: z.string() }),
);
const pool = new pg.Pool({ connectionString: settings.DATABASE_URL, max: 4 });
const log = (level: string) => (fields: object, message: string) => {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...fields })}\n`);
};
const relay = startRelay({
  pool,
  url: settings.WAYBILL_URL,
  key: settings.WAYBILL_API_KEY,
  logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
});
process.once('SIGTERM', () => {
  void relay.stop().then(() => pool.end());
});
