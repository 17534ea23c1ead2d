import type { Sandbox } from '../sandbox-contract.js';
import { sandboxSecretAccessKey } from './credentials.js';

/** What the tests hand to an SDK client so that it calls the sandbox once, as the owner of that access key. */
export function clientSettings(
  sandbox: Sandbox,
  accessKeyId = 'AKIASANDBOXTESTS0000',
  secretAccessKey = sandboxSecretAccessKey,
) {
  return {
    endpoint: sandbox.url,
    region: 'eu-west-1',
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey },
  };
}
