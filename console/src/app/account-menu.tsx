import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { keyNameQuery } from '../api/key-name.js';
import { Icon } from '../components/icon.js';
import { useSession } from './session-context.js';
import ui from '../components/ui.module.css';
import styles from './account-menu.module.css';

/** Loads the open menu. */
export const loadAccountPopover = () => import('./account-popover.js');
const AccountPopover = lazy(loadAccountPopover);

/** Who is signed in, and the button that opens the menu of the account. */
export function AccountMenu() {
  const { principal, role, credential_id: key, account_name: account } = useSession();
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { data: keyName = null } = useQuery(keyNameQuery(key));
  return (
    <>
      <button
        type="button"
        ref={trigger}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={ui.control}
        onClick={() => setOpen(true)}
      >
        <Icon name="person" />
        <span className={styles.who}>
          <span className={`${ui.cut} ${styles.name}`}>{keyName ?? principal.name}</span>{' '}
          <span className={`${ui.cut} ${styles.in}`}>
            <span className={ui.hidden}>in the account</span> {account}
          </span>
        </span>{' '}
        <span className={styles.role}>{role}</span> <span className={ui.hidden}>account menu</span>
      </button>
      <Suspense>
        {isOpen && <AccountPopover trigger={trigger} keyName={keyName} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
