import type { ConnectionContext } from '../target.js';
import { untilAborted } from '../until-aborted.js';
import type { CloudAuth } from './auth.js';
import { AssumeRoleError, OperatorCredentialsError, SetupError } from './failure.js';
import { httpHandler } from './http-handler.js';
import { fromNodeProviderChain, fromTemporaryCredentials } from './vendor.js';

type CredentialProvider = ReturnType<typeof fromTemporaryCredentials>;
type KeyPair = { readonly accessKeyId: string; readonly secretAccessKey: string };

/** Options of every AWS client. */
export interface ClientOptions {
  readonly region: string;
  readonly credentials: CredentialProvider | KeyPair;
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

function credentialsOf({ role, creds }: CloudAuth, context: ConnectionContext): CredentialProvider | KeyPair {
  if (role) return assumedRole(role.role_arn, context);
  // With an incomplete key the SDK would use the operator's own credentials.
  if (!creds?.cloud_access_key_id || !creds.cloud_secret_access_key) {
    throw new SetupError('missing_secret', 'The destination has no secret access key. Set `cloud_secret_access_key`.');
  }
  return { accessKeyId: creds.cloud_access_key_id, secretAccessKey: creds.cloud_secret_access_key };
}

/** Whether this process has had credentials of its operator. */
let hasHadCredentials = false;

/**
 * Returns a provider that assumes the role with the operator's credentials. The client caches and renews its result.
 */
function assumedRole(roleArn: string, context: ConnectionContext): CredentialProvider {
  const { sendTimeoutMs } = context.settings;
  const assume = fromTemporaryCredentials({
    params: {
      RoleArn: roleArn,
      ExternalId: context.externalId,
      RoleSessionName: sessionName(context.destinationId),
    },
    // Half of the time: the call ends with this error then, not with that of a target that does not respond.
    masterCredentials: operatorCredentials(sendTimeoutMs / 2),
    // The client of AWS STS would otherwise try three times. It uses the region of the target.
    clientConfig: { maxAttempts: 1, requestHandler: httpHandler(sendTimeoutMs) },
  });
  return async (properties) => {
    try {
      return await assume(properties);
    } catch (error) {
      throw new AssumeRoleError(error);
    }
  };
}

/**
 * Returns a provider of the operator's credentials. The SDK waits without end for an endpoint that does not answer, and
 * each later call would wait for the same promise.
 */
function operatorCredentials(timeoutMs: number): CredentialProvider {
  let chain = fromNodeProviderChain();
  return async (properties) => {
    try {
      const credentials = await untilAborted(chain(properties), AbortSignal.timeout(timeoutMs));
      hasHadCredentials = true;
      return credentials;
    } catch (error) {
      chain = fromNodeProviderChain();
      throw new OperatorCredentialsError(error, hasHadCredentials);
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
