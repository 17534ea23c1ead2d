import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.js';
import { ModalDialog } from './modal-dialog.js';
import { ProblemPanel } from './problem-panel.js';
import styles from './modal-dialog.module.css';
import ui from './ui.module.css';

interface FormDialogProps {
  /** What is about to happen: `Redeliver rejected events`. */
  readonly title: string;
  /** Fields, or what the change does and does not do. */
  readonly children: ReactNode;
  /** The verb of the button: `Pause`. */
  readonly submitLabel: string;
  /** Whether it is a question without fields. */
  readonly isQuestion?: boolean;
  /** Whether it cannot be undone. */
  readonly isDangerous?: boolean;
  /** What is missing before it can be done; null when nothing is. */
  readonly missing?: string | null;
  /** What was found out before it is done, beside the buttons: it is visible while a long form scrolls. */
  readonly result?: ReactNode;
  /** Does it. The dialog closes when it has succeeded, and shows the problem otherwise. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog before a change. Escape and Cancel change nothing. It stays open until the change succeeds or fails. */
export function FormDialog({
  title,
  children,
  submitLabel,
  isQuestion = false,
  isDangerous = false,
  missing = null,
  result,
  onSubmit,
  onClose,
}: FormDialogProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: onSubmit, onSuccess: () => onClose() });
  return (
    <ModalDialog isBusy={isPending} title={title} onClose={onClose} role={isQuestion ? 'alertdialog' : 'dialog'}>
      <form
        className={ui.stack}
        onSubmit={(event) => {
          event.preventDefault();
          // It is no event of a form that asks.
          event.stopPropagation();
          if (missing === null && !isPending) mutate();
        }}
      >
        {children}
        <div className={`${ui.line} ${ui.end} ${styles.buttons}`}>
          {error && (
            <div className={styles.result}>
              <ProblemPanel error={error} />
            </div>
          )}
          {!error && result != null && <div className={styles.result}>{result}</div>}
          <span role="status" className={`${ui.note} ${styles.missing}`}>
            {missing}
          </span>
          <Button isDisabled={isPending} onPress={onClose}>
            Cancel
          </Button>
          <Button type="submit" look={isDangerous ? 'danger' : 'main'} isDisabled={missing !== null} isBusy={isPending}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}
