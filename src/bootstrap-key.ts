import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from './config/config.js';

/**
 * Prints the API key that the very first start created, as plain text and not as a log line. With the embedded Postgres
 * it also writes the key to DATA_DIR/first-api-key (mode 0600): who can read that folder can read all data anyway.
 */
export function printBootstrapKey(token: string, config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): void {
  let advice = 'Store it: it is not shown again.';
  if (config.DATABASE_URL === undefined) {
    const file = path.join(config.DATA_DIR, 'first-api-key');
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    advice = `It is also in ${file}: delete that file when you have stored the key.`;
  }
  process.stdout.write(`\n  The API key of the first admin:\n\n    ${token}\n\n  ${advice}\n\n`);
}
