import type { Sandbox } from '../sandbox-contract.js';
import { SANDBOX_SECRET_ACCESS_KEY } from './credentials.js';

/** What the tests hand to an SDK client so that it calls the sandbox once, as the owner of that access key. */
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
