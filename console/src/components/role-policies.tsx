import { useState } from 'react';
import type { TargetKind } from '../api/target-kind.js';
import { isPrincipal, permissionPolicyOf, trustPolicyOf } from '../api/trust-policy.js';
import { CopyButton } from './copy-button.js';
import { TextField } from './form-field.js';
import { JsonView } from './json-view.js';
import styles from './role-policies.module.css';

/** Properties of `RolePolicies`. */
export interface RolePoliciesProps {
  readonly kind: TargetKind;
  /** ARN of the target. */
  readonly targetArn: string;
  /** The external id of the destination; null before the destination exists. */
  readonly externalId: string | null;
}

/** What the role of a destination needs: its external id, a trust policy and a permission policy, to copy. */
export function RolePolicies({ kind, targetArn, externalId }: RolePoliciesProps) {
  const [trusted, setTrusted] = useState('');
  const permission = permissionPolicyOf(kind, targetArn);
  return (
    <div className={styles.policies}>
      {externalId === null ? (
        <p className={styles.soft}>
          The external id and the trust policy are shown here when the destination is created.
        </p>
      ) : (
        <>
          <p className={styles.id}>
            External id <code>{externalId}</code>
            <CopyButton text={externalId} label="Copy the external id" />
          </p>
          <p className={styles.soft}>
            Waybill sends it with each call that assumes the role. The trust policy asks for it, so that no other
            destination can use the role.
          </p>
          <TextField
            label="Principal that Waybill runs as"
            hint="The AWS identity of the Waybill service. Run “aws sts get-caller-identity” where its worker runs, with the same credentials. Of an assumed role, give the ARN of the role."
            placeholder="arn:aws:iam::123456789012:role/waybill"
            value={trusted}
            onChange={setTrusted}
            canPaste
            fault={trusted === '' || isPrincipal(trusted) ? null : 'Must be the ARN of a role, a user or an account.'}
          />
          {isPrincipal(trusted) ? (
            <div>
              <h3 className={styles.title}>Trust policy of the role</h3>
              <p className={styles.soft}>
                It says who may assume the role. Paste it in AWS: IAM, Roles, the role, Trust relationships, Edit trust
                policy.
              </p>
              <JsonView label="Trust policy of the role" value={trustPolicyOf(trusted, externalId)} />
            </div>
          ) : (
            <p className={styles.soft}>The trust policy is shown when the principal is given.</p>
          )}
        </>
      )}
      {permission && targetArn.trim() !== '' && (
        <details>
          <summary>Permission policy of the role</summary>
          <p className={styles.soft}>
            It lets the role write to the target. Paste it in AWS: IAM, Roles, the role, Permissions, Add permissions,
            Create inline policy, JSON.
          </p>
          <JsonView label="Permission policy of the role" value={permission} />
        </details>
      )}
    </div>
  );
}
