import { useBlocker } from '@tanstack/react-router';
import { FormDialog } from './form-dialog.js';

/** Asks before the page is left for another one, or closed. @param isUnsaved whether there is anything to lose */
export function UnsavedQuestion({ isUnsaved }: { readonly isUnsaved: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    // A session that ends by itself is not asked about: nothing can be saved any longer.
    shouldBlockFn: ({ next }) => !('ended' in next.search) && isUnsaved(),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <FormDialog
      isQuestion
      isDangerous
      title="Leave without saving?"
      submitLabel="Leave"
      onSubmit={() => Promise.resolve(proceed())}
      onClose={reset}
    >
      <p>What you changed is not saved.</p>
    </FormDialog>
  );
}
