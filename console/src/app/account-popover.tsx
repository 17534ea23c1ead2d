import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Icon } from '../components/icon.js';
import { preferenceChoices, setPreferences, usePreferences, type Preferences } from '../preferences/preferences.js';
import { navigation } from './navigation.js';
import { useSession } from './session-context.js';
import ui from '../components/ui.module.css';
import styles from './account-menu.module.css';

interface AccountPopoverProps {
  /** The button that opened it. */
  readonly trigger: RefObject<HTMLElement | null>;
  readonly keyName: string | null;
  readonly onClose: () => void;
}

/** The open menu of the account: the choices of this browser, the pages beside the console, and sign-out. */
export default function AccountPopover({ trigger, keyName, onClose }: AccountPopoverProps) {
  const { principal, role, credential_id: key, may_view_queues: mayViewQueues, ...session } = useSession();
  const preferences = usePreferences();
  const navigate = useNavigate();
  return (
    <Popover
      isOpen
      triggerRef={trigger}
      onOpenChange={onClose}
      className={`${ui.raised} ${styles.popover}`}
      aria-label="Account"
      placement="bottom end"
    >
      <Menu className={styles.menu ?? ''} aria-label="Account" autoFocus="first" onClose={onClose}>
        {preferenceChoices.map(({ title, options }) => (
          <MenuSection
            key={title}
            className={styles.section ?? ''}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={Object.keys(options).filter((label) => isChosen(options[label], preferences))}
            onSelectionChange={(keys) => {
              for (const [label, change] of Object.entries(options)) {
                if (keys !== 'all' && keys.has(label)) setPreferences(change);
              }
            }}
          >
            <Header className={`${ui.note} ${ui.strong} ${styles.header}`}>{title}</Header>
            {Object.keys(options).map((label) => (
              <MenuItem key={label} id={label} className={`${ui.option} ${styles.item}`}>
                {({ isSelected }) => (
                  <>
                    <span className={styles.check}>{isSelected && <Icon name="healthy" />}</span>
                    {label}
                  </>
                )}
              </MenuItem>
            ))}
          </MenuSection>
        ))}
        <MenuSection className={styles.section ?? ''} aria-label="Other pages">
          {navigation
            .filter(({ isInMenu }) => isInMenu)
            .map(({ to, label }) => (
              <MenuItem key={label} className={`${ui.option} ${styles.item}`} onAction={() => void navigate({ to })}>
                {label}
              </MenuItem>
            ))}
          <MenuItem className={`${ui.option} ${styles.item}`} href="/docs">
            API documentation
          </MenuItem>
          {mayViewQueues && (
            <MenuItem className={`${ui.option} ${styles.item}`} href="/dashboard">
              Queues
            </MenuItem>
          )}
        </MenuSection>
        <MenuSection className={styles.section ?? ''}>
          <Header className={`${ui.note} ${styles.header}`}>
            Signed in with the key {keyName !== null && <strong>{keyName} </strong>}
            <code>{key}</code> of {principal.name}. It has the role <strong>{role}</strong> in the account{' '}
            {session.account_name} <code>{session.account_id}</code>.
          </Header>
          <MenuItem
            className={`${ui.option} ${styles.item}`}
            onAction={() => void navigate({ to: '/sign-in', state: { signsOut: true } })}
          >
            Sign out
          </MenuItem>
        </MenuSection>
      </Menu>
    </Popover>
  );
}

function isChosen({ theme, zone, times }: Partial<Preferences> = {}, now: Preferences): boolean {
  return theme === now.theme || zone === now.zone || times === now.times;
}
