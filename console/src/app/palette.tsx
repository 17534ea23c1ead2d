import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { Icon } from '../components/icon.js';
import { commandsOf } from './commands.js';
import { useSession } from './session-context.js';
import styles from './palette.module.css';

/** Leads to any page and does any command by a few typed letters. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const router = useRouter();
  const client = useQueryClient();
  const session = useSession();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const commands = commandsOf({ router, client, session }, text);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label="Jump to" className={styles.dialog ?? ''}>
          <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Page or command" autoFocus className={styles.field ?? ''}>
              <Icon name="search" />
              <Input className={styles.input ?? ''} placeholder="Page or command" />
            </SearchField>
            <ListBox
              aria-label="Pages and commands"
              className={styles.list ?? ''}
              items={commands}
              selectionMode="none"
              onAction={(id) => {
                onClose();
                commands.find((command) => command.id === id)?.run();
              }}
              renderEmptyState={() => <p className={styles.none}>No page and no command has these letters.</p>}
            >
              {({ id, label, icon, hint }) => (
                <ListBoxItem id={id} textValue={label} className={styles.item ?? ''}>
                  <Icon name={icon} />
                  {label}
                  {hint !== undefined && <span className={styles.hint}>{hint}</span>}
                </ListBoxItem>
              )}
            </ListBox>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
