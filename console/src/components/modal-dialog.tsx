import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import styles from './modal-dialog.module.css';
import ui from './ui.module.css';

interface ModalDialogProps {
  readonly onClose: () => void;
  readonly title: string;
  /** Whether it stays open, as its work is under way. */
  readonly isBusy?: boolean;
  /** `alertdialog` where it asks before a change. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children: ReactNode;
}

/** A dialog over the page. Escape, and a click beside it, close it. */
export function ModalDialog({ onClose, title, isBusy = false, role = 'dialog', children }: ModalDialogProps) {
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(open) => {
        if (!open && !isBusy) onClose();
      }}
      isDismissable={!isBusy}
      isKeyboardDismissDisabled={isBusy}
      className={ui.overlay ?? ''}
    >
      <Modal className={`${ui.raised} ${styles.modal}`}>
        <Dialog role={role} className={`${ui.stack} ${styles.dialog}`}>
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
