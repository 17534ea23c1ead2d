import { useState } from 'react';
import { CopyButton } from '../copy-button.js';
import { TextField } from '../form-field.js';
import { JsonView } from '../json-view.js';
import type { TargetDraft } from './draft.js';
import { isPrincipal, permissionPolicyOf, trustPolicyOf } from './role.js';
import ui from '../ui.module.css';

/** Properties of `RolePolicies`. */
export interface RolePoliciesProps {
  readonly draft: TargetDraft;
  /** The external id of the destination; null before the destination exists. */
  readonly externalId: string | null;
}

/** What the role of a destination needs: its external id, a trust policy and a permission policy, to copy. */
export function RolePolicies({ draft, externalId }: RolePoliciesProps) {
  const [trusted, setTrusted] = useState('');
  const permission = permissionPolicyOf(draft);
  return (
    <div className={ui.stack}>
      {externalId === null ? (
        <p className={ui.soft}>The external id and the trust policy are shown here when the destination is created.</p>
      ) : (
        <>
          <p className={ui.line}>
            External id <code>{externalId}</code>
            <CopyButton text={externalId} label="Copy the external id" />
          </p>
          <p className={ui.soft}>
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
              <h3>Trust policy of the role</h3>
              <p className={ui.soft}>
                It says who may assume the role. Paste it in AWS: IAM, Roles, the role, Trust relationships, Edit trust
                policy.
              </p>
              <JsonView label="Trust policy of the role" value={trustPolicyOf(trusted, externalId)} />
            </div>
          ) : (
            <p className={ui.soft}>The trust policy is shown when the principal is given.</p>
          )}
        </>
      )}
      {permission && (
        <details>
          <summary>Permission policy of the role</summary>
          <p className={ui.soft}>
            It lets the role write to the target. Paste it in AWS: IAM, Roles, the role, Permissions, Add permissions,
            Create inline policy, JSON.
          </p>
          <JsonView label="Permission policy of the role" value={permission} />
        </details>
      )}
    </div>
  );
}
