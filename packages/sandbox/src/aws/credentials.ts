import { randomBytes } from 'node:crypto';
import type { AssumedRole } from '../sandbox-contract.js';

/** The secret of every access key whose id starts with `AKIASANDBOX`. */
export const SANDBOX_SECRET_ACCESS_KEY = 'sandbox-secret-access-key-0123456789abcd';
/** The access key of the operator, whose identity assumes roles. */
export const OPERATOR_ACCESS_KEY_ID = 'AKIASANDBOXOPERATOR0';
/** The account that the sandbox's own access keys belong to. */
export const SANDBOX_ACCOUNT_ID = '123456789012';

/** State of an access key id. */
export type AccessKey =
  /** The secret is known: signatures are checked. */
  | {
      readonly kind: 'known';
      readonly secret: string;
      readonly sessionToken?: string;
      readonly principal: string;
      readonly expiresAtMs?: number;
    }
  /** The secret is unknown: only the format of signatures is checked. */
  | { readonly kind: 'unknown'; readonly principal: string }
  /** Invalid: `AKIAWRONG...`, or a session that the sandbox did not issue. */
  | { readonly kind: 'wrong' };

interface Session extends AssumedRole {
  readonly secret: string;
  readonly sessionToken: string;
}

/** Credentials of a session, as AssumeRole returns them. */
export interface SessionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiresAtMs: number;
}

/** Access keys of the sandbox: conventions for long-lived keys, and a table of issued sessions. */
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
    if (accessKeyId.startsWith('AKIASANDBOX')) return { kind: 'known', secret: SANDBOX_SECRET_ACCESS_KEY, principal };
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
    return Array.from(this.sessions.values(), ({ roleArn, externalId, sessionName, accessKeyId, expiresAtMs }) => ({
      roleArn,
      externalId,
      sessionName,
      accessKeyId,
      expiresAtMs,
    }));
  }
}

/** Returns `arn:aws:sts::123456789012:assumed-role/NAME/SESSION` for a role's ARN. */
export function assumedRoleArn(roleArn: string, sessionName: string): string {
  const [, partition = 'aws', , , account = '', resource = ''] = roleArn.split(':');
  return `arn:${partition}:sts::${account}:assumed-role/${resource.split('/').at(-1) ?? ''}/${sessionName}`;
}
