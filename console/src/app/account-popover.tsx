import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Icon } from '../components/icon.js';
import { setPreferences, usePreferences, type Theme, type Times, type Zone } from '../preferences/preferences.js';
import { navigation } from './navigation.js';
import { useSession } from './session-context.js';
import ui from '../components/ui.module.css';
import styles from './account-menu.module.css';

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

const timeChoices: readonly (readonly [Times, string])[] = [
  ['relative', 'Relative'],
  ['exact', 'Exact'],
];

const zones: readonly (readonly [Zone, string])[] = [
  ['local', 'Local time'],
  ['utc', 'UTC'],
];

interface AccountPopoverProps {
  /** The button that opened it. */
  readonly trigger: RefObject<HTMLElement | null>;
  readonly keyName: string | null;
  readonly onClose: () => void;
  readonly onSignOut: () => void;
}

/** The open menu of the account: the choices of this browser, the pages beside the console, and sign-out. */
export default function AccountPopover({ trigger, keyName, onClose, onSignOut }: AccountPopoverProps) {
  const { principal, role, credential_id: key, may_view_queues: mayViewQueues, ...session } = useSession();
  const { theme, zone, times } = usePreferences();
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
        <Choice title="Colours" options={themes} value={theme} onChange={(next) => setPreferences({ theme: next })} />
        <Choice title="Time zone" options={zones} value={zone} onChange={(next) => setPreferences({ zone: next })} />
        <Choice
          title="Times"
          options={timeChoices}
          value={times}
          onChange={(next) => setPreferences({ times: next })}
        />
        <MenuSection className={styles.section ?? ''} aria-label="Other pages">
          {navigation
            .filter(({ isInMenu, access = 'read' }) => isInMenu && session.access.includes(access))
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
          <MenuItem className={`${ui.option} ${styles.item}`} onAction={onSignOut}>
            Sign out
          </MenuItem>
        </MenuSection>
      </Menu>
    </Popover>
  );
}

interface ChoiceProps<Value extends string> {
  readonly title: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ title, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <MenuSection
      className={styles.section ?? ''}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = options.find(([key]) => keys !== 'all' && keys.has(key));
        if (chosen) onChange(chosen[0]);
      }}
    >
      <Header className={`${ui.note} ${ui.strong} ${styles.header}`}>{title}</Header>
      {options.map(([key, label]) => (
        <MenuItem key={key} id={key} className={`${ui.option} ${styles.item}`}>
          {({ isSelected }) => (
            <>
              <span className={styles.check}>{isSelected && <Icon name="healthy" />}</span>
              {label}
            </>
          )}
        </MenuItem>
      ))}
    </MenuSection>
  );
}
