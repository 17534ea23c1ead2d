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
          The external id is generated with the destination. It and the trust policy are shown here after step 2.
        </p>
      ) : (
        <>
          <p className={styles.id}>
            External id <code>{externalId}</code>
            <CopyButton text={externalId} label="Copy the external id" />
          </p>
          <TextField
            label="Principal that Waybill runs as"
            hint="The command “aws sts get-caller-identity” on the host of Waybill names it. Of an assumed role, give the ARN of the role."
            placeholder="arn:aws:iam::123456789012:role/waybill"
            value={trusted}
            onChange={setTrusted}
            canPaste
            fault={trusted === '' || isPrincipal(trusted) ? null : 'Must be the ARN of a role, a user or an account.'}
          />
          {isPrincipal(trusted) ? (
            <div>
              <h3 className={styles.title}>Trust policy of the role</h3>
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
          <JsonView label="Permission policy of the role" value={permission} />
        </details>
      )}
    </div>
  );
}
