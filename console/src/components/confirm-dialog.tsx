import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Button } from './button.js';
import { BigNumber } from './count.js';
import { ModalDialog } from './modal-dialog.js';
import { ProblemPanel } from './problem-panel.js';
import ui from './ui.module.css';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What is about to happen: `Redeliver rejected events`. */
  readonly title: string;
  /** What the change does, and what it does not do. */
  readonly children?: ReactNode;
  /** How many things it changes: `{ value: 41, noun: 'deliveries' }`. */
  readonly count?: { readonly value: number; readonly atLeast?: boolean; readonly noun: string };
  /** The verb of the button: `Redeliver`. */
  readonly confirmLabel: string;
  /** Whether it cannot be undone. */
  readonly danger?: boolean;
  /** Whether it cannot be confirmed yet, as what it changes is not known. */
  readonly isDisabled?: boolean;
  /** Does it. The dialog closes when it has succeeded, and shows the problem otherwise. */
  readonly onConfirm: () => Promise<unknown>;
}

/** Asks before a change. Escape and Cancel change nothing. It stays open until the change has succeeded or failed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, onConfirm } = props;
  const [isBusy, setBusy] = useState(false);
  const confirm = async (): Promise<unknown> => {
    setBusy(true);
    try {
      return await onConfirm();
    } finally {
      setBusy(false);
    }
  };
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={title} isBusy={isBusy} role="alertdialog">
      <Question {...props} onConfirm={confirm} />
    </ModalDialog>
  );
}

function Question({
  onClose,
  children,
  count,
  confirmLabel,
  danger = false,
  isDisabled = false,
  onConfirm,
}: ConfirmDialogProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: onConfirm, onSuccess: () => onClose() });
  return (
    <>
      {count && (
        <p>
          <BigNumber {...count} /> {count.noun}
        </p>
      )}
      {children}
      {error && <ProblemPanel error={error} />}
      <div className={`${ui.line} ${ui.end}`}>
        <Button isDisabled={isPending} onPress={onClose}>
          Cancel
        </Button>
        <Button look={danger ? 'danger' : 'main'} isBusy={isPending} isDisabled={isDisabled} onPress={() => mutate()}>
          {confirmLabel}
        </Button>
      </div>
    </>
  );
}
