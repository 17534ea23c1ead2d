import { useState, type ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.js';
import { ProblemPanel } from './problem-panel.js';
import styles from './confirm-dialog.module.css';

/** Properties of `FormDialog`. */
export interface FormDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The verb of the button: `Pause`. */
  readonly submitLabel: string;
  /** What is missing before it can be done; null when nothing is. */
  readonly missing: string | null;
  /** Does it. The dialog closes when it has succeeded, and shows the problem otherwise. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog with fields. Escape and Cancel change nothing. */
export function FormDialog({ title, children, submitLabel, missing, onSubmit, onClose }: FormDialogProps) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = (): void => {
    setBusy(true);
    setError(null);
    onSubmit().then(onClose, (reason: unknown) => {
      setError(reason);
      setBusy(false);
    });
  };
  return (
    <PlainDialog title={title} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null && !busy) submit();
        }}
      >
        {children}
        {error !== null && <ProblemPanel error={error} />}
        <div className={styles.buttons}>
          <span role="status" className={styles.missing}>
            {missing}
          </span>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="main" isDisabled={missing !== null || busy}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </PlainDialog>
  );
}

/** A dialog that shows something, without a form. */
export function PlainDialog({
  title,
  children,
  onClose,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}) {
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''}>
          <Heading slot="title" level={2} className={styles.title}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
