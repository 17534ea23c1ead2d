import type { Session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { PageHeader } from '../../components/page-header.js';
import ui from '../../components/ui.module.css';

interface CodeQuestionProps {
  /** Whose session the code begins. */
  readonly offered: Session;
  /** The session of the browser, which the code would end; null: none. */
  readonly current: Session | null;
  readonly isBusy: boolean;
  readonly onAccept: () => void;
  readonly onRefuse: () => void;
}

/**
 * Asks before a one-time code begins a session. Anyone can send an address with a code of their own account: who opens
 * it would work there, and enter credentials there.
 */
export function CodeQuestion({ offered, current, isBusy, onAccept, onRefuse }: CodeQuestionProps) {
  return (
    <>
      <PageHeader title="Sign in with this address?" />
      <p>
        It signs you in as <Person session={offered} />.
      </p>
      {current !== null && (
        <p>
          You are signed in as <Person session={current} />. That session ends.
        </p>
      )}
      <p className={ui.note}>Continue only if you asked for this address yourself, and know the account.</p>
      <div className={ui.line}>
        <Button look="main" isBusy={isBusy} onPress={onAccept}>
          {`Sign in as ${offered.principal.name}`}
        </Button>
        <Button onPress={onRefuse}>{current === null ? 'Do not sign in' : 'Stay signed in'}</Button>
      </div>
    </>
  );
}

function Person({ session }: { readonly session: Session }) {
  return (
    <>
      <strong>{session.principal.name}</strong> with the role <strong>{session.role}</strong> in the account{' '}
      <strong>{session.account_name}</strong> <code>{session.account_id}</code>
    </>
  );
}
