import { randomBytes } from 'node:crypto';
import type { AssumedRole } from '../sandbox-contract.js';

/** The secret of every access key whose id starts with `AKIASANDBOX`. */
export const SANDBOX_SECRET_ACCESS_KEY = 'sandbox-secret-access-key-0123456789abcd';
/** The access key of the operator, whose identity assumes roles. */
export const OPERATOR_ACCESS_KEY_ID = 'AKIASANDBOXOPERATOR0';
/** The account that the sandbox's own access keys belong to. */
export const SANDBOX_ACCOUNT_ID = '123456789012';

/** What is known of an access key id. */
export type AccessKey =
  /** Its secret is known: signatures are checked. */
  | {
      readonly kind: 'known';
      readonly secret: string;
      readonly sessionToken?: string;
      readonly principal: string;
      readonly expiresAtMs?: number;
    }
  /** Someone's: signatures are checked for their shape only. */
  | { readonly kind: 'unknown'; readonly principal: string }
  /** Not a key (`AKIAWRONG...`, or a session that the sandbox did not issue). */
  | { readonly kind: 'wrong' };

interface Session extends AssumedRole {
  readonly secret: string;
  readonly sessionToken: string;
}

/** A session's credentials, as AssumeRole hands them out. */
export interface SessionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiresAtMs: number;
}

/** The access keys of the sandbox's world: conventions for long-lived ones, a table of the sessions it issued. */
export class AccessKeys {
  private readonly sessions = new Map<string, Session>();

  find(accessKeyId: string): AccessKey {
    const session = this.sessions.get(accessKeyId);
    if (session !== undefined) {
      return {
        kind: 'known',
        secret: session.secret,
        sessionToken: session.sessionToken,
        expiresAtMs: session.expiresAtMs,
        principal: assumedRoleArn(session.roleArn, session.sessionName),
      };
    }
    if (accessKeyId.startsWith('AKIAWRONG') || accessKeyId.startsWith('ASIA')) return { kind: 'wrong' };
    const principal = `arn:aws:iam::${SANDBOX_ACCOUNT_ID}:user/${accessKeyId}`;
    if (accessKeyId.startsWith('AKIASANDBOX'))
      return { kind: 'known', secret: SANDBOX_SECRET_ACCESS_KEY, principal };
    return { kind: 'unknown', principal };
  }

  issue(roleArn: string, externalId: string, sessionName: string, lifetimeMs: number): SessionCredentials {
    const accessKeyId = `ASIASANDBOX${randomBytes(8).toString('hex').toUpperCase().slice(0, 9)}`;
    const secret = randomBytes(30).toString('base64');
    const sessionToken = randomBytes(180).toString('base64');
    const expiresAtMs = Date.now() + lifetimeMs;
    this.sessions.set(accessKeyId, {
      accessKeyId,
      secret,
      sessionToken,
      roleArn,
      externalId,
      sessionName,
      expiresAtMs,
    });
    return { accessKeyId, secretAccessKey: secret, sessionToken, expiresAtMs };
  }

  assumedRoles(): readonly AssumedRole[] {
    return Array.from(
      this.sessions.values(),
      ({ roleArn, externalId, sessionName, accessKeyId, expiresAtMs }) => ({
        roleArn,
        externalId,
        sessionName,
        accessKeyId,
        expiresAtMs,
      }),
    );
  }
}

/** `arn:aws:sts::123456789012:assumed-role/NAME/SESSION` of a role's ARN. */
export function assumedRoleArn(roleArn: string, sessionName: string): string {
  const [, partition = 'aws', , , account = '', resource = ''] = roleArn.split(':');
  return `arn:${partition}:sts::${account}:assumed-role/${resource.split('/').at(-1) ?? ''}/${sessionName}`;
}
