import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './confirm-dialog.js';

/** Asks before the page is left for another one, or closed. @param isUnsaved whether there is anything to lose */
export function UnsavedQuestion({ isUnsaved }: { readonly isUnsaved: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    // The end of the session is not asked about: what was changed is kept.
    shouldBlockFn: ({ next }) => next.fullPath !== '/sign-in' && isUnsaved(),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      confirmLabel="Leave"
      danger
      onConfirm={() => Promise.resolve(proceed?.())}
    >
      <p>What you changed is not saved.</p>
    </ConfirmDialog>
  );
}
