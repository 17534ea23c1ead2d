import { useNavigate } from '@tanstack/react-router';
import { Button } from '../components/button.js';
import { EmptyState } from '../components/empty-state.js';
import { PageHeader } from '../components/page-header.js';
import { useSession } from './session-context.js';
import styles from './page.module.css';

/** What a person sees whose role reads nothing: that of a key which publishes events. */
export function NothingToRead() {
  const navigate = useNavigate();
  const { principal, account_name: account } = useSession();
  return (
    <main className={styles.alone}>
      <PageHeader title="Nothing to show" />
      <EmptyState
        title="This key can publish events, and nothing else"
        actions={<Button onPress={() => void navigate({ to: '/sign-in', state: { signsOut: true } })}>Sign out</Button>}
      >
        You are signed in as {principal.name} in the account {account}. Sign in with a key of another role:{' '}
        <code>auditor</code> reads, <code>operator</code> also acts on deliveries.
      </EmptyState>
    </main>
  );
}
