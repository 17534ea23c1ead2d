import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from './config/config.js';

/**
 * Shows the API key that the very first start has made: to people, on the terminal, and not as a log line. With the
 * embedded Postgres it is also put into DATA_DIR/first-api-key (mode 0600), beside the key ring and the data that it
 * opens anyway.
 */
export function printBootstrapKey(token: string, config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): void {
  let kept = 'Keep it: it is not shown again.';
  if (config.DATABASE_URL === undefined) {
    const file = path.join(config.DATA_DIR, 'first-api-key');
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    kept = `It is also in ${file}: delete that file once you have put the key away.`;
  }
  process.stdout.write(`\n  The API key of the first admin:\n\n    ${token}\n\n  ${kept}\n\n`);
}
