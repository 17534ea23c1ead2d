import type { Sandbox } from '../sandbox-contract.js';
import { SANDBOX_SECRET_ACCESS_KEY } from './credentials.js';

/** Returns the settings of an SDK client that calls the sandbox without retries. */
export function clientSettings(
  sandbox: Sandbox,
  accessKeyId = 'AKIASANDBOXTESTS0000',
  secretAccessKey = SANDBOX_SECRET_ACCESS_KEY,
) {
  return {
    endpoint: sandbox.url,
    region: 'eu-west-1',
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey },
  };
}
