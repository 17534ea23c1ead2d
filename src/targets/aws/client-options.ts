import { fromTemporaryCredentials } from '@aws-sdk/credential-providers';
import type { ConnectionContext } from '../target.js';
import type { CloudAuth } from './auth.js';
import { RoleNotAssumed, SetupError } from './failure.js';
import { httpHandler } from './http-handler.js';

type RoleCredentials = ReturnType<typeof fromTemporaryCredentials>;
type KeyPair = { readonly accessKeyId: string; readonly secretAccessKey: string };

/** What every cloud client is made with. */
export interface ClientOptions {
  readonly region: string;
  readonly credentials: RoleCredentials | KeyPair;
  readonly requestHandler: ReturnType<typeof httpHandler>;
  /** Trying again belongs to the delivery's job, where it is seen and counted. */
  readonly maxAttempts: 1;
}

/**
 * Options of a client in `region` with the destination's own credentials. The addresses are the SDK's: AWS_ENDPOINT_URL_* where
 * the operator has set them. Throws SetupError when the credentials are not complete.
 */
export function clientOptions(auth: CloudAuth, region: string, context: ConnectionContext): ClientOptions {
  const requestHandler = httpHandler(context.settings.sendTimeoutMs);
  return { region, credentials: credentialsOf(auth, context), requestHandler, maxAttempts: 1 };
}

function credentialsOf({ role, creds }: CloudAuth, context: ConnectionContext): RoleCredentials | KeyPair {
  if (role) return assumedRole(role.role_arn, context);
  // A key that is not complete must end here: the SDK would go on to the operator's own identity.
  if (!creds?.cloud_access_key_id || !creds.cloud_secret_access_key) {
    throw new SetupError('missing_secret', 'The destination has no secret access key: update it with one.');
  }
  return { accessKeyId: creds.cloud_access_key_id, secretAccessKey: creds.cloud_secret_access_key };
}

/** Assumes the role with the operator's identity; the client that it is given to caches and renews what it gets. */
function assumedRole(roleArn: string, context: ConnectionContext): RoleCredentials {
  const assume = fromTemporaryCredentials({
    params: {
      RoleArn: roleArn,
      ExternalId: context.externalId,
      RoleSessionName: sessionName(context.destinationId),
    },
    // The token service's client is one of its own and would try three times. Its region is the target's.
    clientConfig: { maxAttempts: 1, requestHandler: httpHandler(context.settings.sendTimeoutMs) },
  });
  return async (properties) => {
    try {
      return await assume(properties);
    } catch (error) {
      throw new RoleNotAssumed(error);
    }
  };
}

/** Shows in the owner's audit log. 2 to 64 of `[\w+=,.@-]`: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
function sessionName(destinationId: string): string {
  return `waybill-${destinationId.replaceAll(/[^\w+=,.@-]/g, '-')}`.slice(0, 64);
}
