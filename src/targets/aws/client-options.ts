import type { ConnectionContext } from '../target.js';
import type { CloudAuth } from './auth.js';
import { AssumeRoleError, SetupError } from './failure.js';
import { httpHandler } from './http-handler.js';
import { fromTemporaryCredentials } from './vendor.js';

type RoleCredentials = ReturnType<typeof fromTemporaryCredentials>;
type KeyPair = { readonly accessKeyId: string; readonly secretAccessKey: string };

/** Options of every AWS client. */
export interface ClientOptions {
  readonly region: string;
  readonly credentials: RoleCredentials | KeyPair;
  readonly requestHandler: ReturnType<typeof httpHandler>;
  /** Delivery retries, where attempts are counted and shown. */
  readonly maxAttempts: 1;
}

/**
 * Returns the options of a client in `region` with the destination's own credentials. The SDK chooses the address, such
 * as AWS_ENDPOINT_URL_* of the operator.
 * @throws SetupError when the credentials are incomplete
 */
export function clientOptions(auth: CloudAuth, region: string, context: ConnectionContext): ClientOptions {
  const requestHandler = httpHandler(context.settings.sendTimeoutMs);
  return { region, credentials: credentialsOf(auth, context), requestHandler, maxAttempts: 1 };
}

/** The part of a client that its options do not reach. */
interface WithMiddleware {
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * Returns a client without the middleware that describes each call to the client's logger. It copies each record, of
 * the request and of the response, also where no logger is set.
 */
export function withoutCallLog<Client extends WithMiddleware>(client: Client): Client {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

function credentialsOf({ role, creds }: CloudAuth, context: ConnectionContext): RoleCredentials | KeyPair {
  if (role) return assumedRole(role.role_arn, context);
  // With an incomplete key the SDK would use the operator's own credentials.
  if (!creds?.cloud_access_key_id || !creds.cloud_secret_access_key) {
    throw new SetupError('missing_secret', 'The destination has no secret access key. Set `cloud_secret_access_key`.');
  }
  return { accessKeyId: creds.cloud_access_key_id, secretAccessKey: creds.cloud_secret_access_key };
}

/** Whether the credentials of the operator have served in this process, so that it has some. */
let hasHadCredentials = false;

/**
 * Returns a provider that assumes the role with the operator's credentials. The client caches and renews its result.
 */
function assumedRole(roleArn: string, context: ConnectionContext): RoleCredentials {
  const assume = fromTemporaryCredentials({
    params: {
      RoleArn: roleArn,
      ExternalId: context.externalId,
      RoleSessionName: sessionName(context.destinationId),
    },
    // The client of AWS STS would otherwise try three times. It uses the region of the target.
    clientConfig: { maxAttempts: 1, requestHandler: httpHandler(context.settings.sendTimeoutMs) },
  });
  return async (properties) => {
    try {
      const credentials = await assume(properties);
      hasHadCredentials = true;
      return credentials;
    } catch (error) {
      throw new AssumeRoleError(error, hasHadCredentials);
    }
  };
}

/**
 * Returns the session name, which the owner's audit log shows. 2 to 64 characters of `[\w+=,.@-]`:
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
 */
function sessionName(destinationId: string): string {
  return `waybill-${destinationId.replaceAll(/[^\w+=,.@-]/g, '-')}`.slice(0, 64);
}
