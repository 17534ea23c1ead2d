import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { Icon } from '../components/icon.js';
import { commandsOf, textSearch, type CommandContext } from './commands.js';
import { restNote } from './names-note.js';
import { useSession } from './session-context.js';
import { useStatuses } from './status-stream-context.js';
import { useNames } from './use-names.js';
import ui from '../components/ui.module.css';
import styles from './palette.module.css';

interface PaletteProps extends Pick<CommandContext, 'act' | 'showKeys'> {
  /** What was typed while it was loaded. */
  readonly typed: string;
  readonly onClose: () => void;
}

/** Leads to any page and does any command by a few typed letters. */
export default function Palette({ typed, onClose, act, showKeys }: PaletteProps) {
  const router = useRouter();
  const session = useSession();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState(typed);
  const { statuses } = useStatuses();
  const names = useNames(text);
  const context = { router, session, statuses: statuses ?? [], named: names.resources, act, showKeys };
  const known = commandsOf(context, text);
  const rest = names.isReading ? null : restNote(names);
  const hasAll = (label: string, words: string): boolean =>
    words
      .trim()
      .split(/\s+/)
      .every((word) => contains(label, word));
  const isKnown = known.some(({ label, words = '' }) => hasAll(`${label} ${words}`, text));
  const commands = names.isReading || isKnown ? known : [...known, ...textSearch(context, text)];
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      className={`${ui.overlay} ${styles.overlay}`}
    >
      <Modal className={`${ui.raised} ${styles.modal}`}>
        <Dialog aria-label="Jump to" className={styles.dialog ?? ''}>
          <Autocomplete filter={hasAll} inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Page or command" autoFocus className={styles.field ?? ''}>
              <Icon name="search" />
              <Input className={styles.input ?? ''} placeholder="Page, name, or “pause …”, “test …”" />
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
              renderEmptyState={() => (
                <p className={`${ui.soft} ${styles.none}`}>
                  {names.isReading
                    ? 'Reading the names of resources.'
                    : statuses === null
                      ? 'No page and no command has these words. The destinations are not read yet.'
                      : 'No page, no command, no destination and no resource that was looked at has these words.'}
                </p>
              )}
            >
              {({ id, label, words = '', icon, hint }) => (
                <ListBoxItem id={id} textValue={`${label} ${words}`.trimEnd()} className={ui.option ?? ''}>
                  <Icon name={icon} />
                  {label}
                  {hint !== undefined && <span className={ui.aside}>{hint}</span>}
                </ListBoxItem>
              )}
            </ListBox>
            {rest !== null && (
              <p role="status" className={`${ui.soft} ${styles.none}`}>
                {rest}
              </p>
            )}
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
