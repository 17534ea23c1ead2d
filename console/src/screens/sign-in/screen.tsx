import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { isSignedOut } from '../../api/problem.js';
import { previewCode, sessionQuery, signIn, type Session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/form-field.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { CodeQuestion } from './code-question.js';
import ui from '../../components/ui.module.css';
import styles from './sign-in.module.css';

/** What a one-time code would begin, and what it would end. */
interface Offer {
  readonly code: string;
  readonly offered: Session;
  readonly current: Session | null;
}

/** The sign-in page: with an API key, or with the one-time code of the address, after a question. */
function SignIn() {
  const { next, ended } = screen.useSearch();
  const client = useQueryClient();
  const router = useRouter();
  const [code] = useState(takeCode);
  const [token, setToken] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(code !== null);
  const [offer, setOffer] = useState<Offer | null>(null);
  const codeRead = useRef(false);

  async function begin(credential: { readonly token: string } | { readonly code: string }): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await signIn(client, credential);
      router.history.replace(pageOf(next));
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  }

  async function ask(given: string): Promise<void> {
    try {
      const [offered, current] = await Promise.all([previewCode(given), client.fetchQuery(sessionQuery)]);
      setOffer({ code: given, offered, current });
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  }

  useEffect(() => {
    if (code === null || codeRead.current) return;
    codeRead.current = true;
    void ask(code);
  });

  if (offer !== null && error === null) {
    return (
      <main className={styles.page}>
        <div className={`${ui.card} ${ui.parts} ${styles.card}`}>
          <p className={`${ui.soft} ${ui.strong}`}>Waybill</p>
          <CodeQuestion
            offered={offer.offered}
            current={offer.current}
            isBusy={busy}
            onAccept={() => void begin({ code: offer.code })}
            onRefuse={() => (offer.current === null ? setOffer(null) : router.history.replace('/console/'))}
          />
        </div>
      </main>
    );
  }
  return (
    <main className={styles.page}>
      <div className={`${ui.card} ${ui.parts} ${styles.card}`}>
        <p className={`${ui.soft} ${ui.strong}`}>Waybill</p>
        <PageHeader title="Sign in">{ended === 'true' && error === null && 'Your session has ended.'}</PageHeader>
        {error !== null && <ProblemPanel error={error} title={titleOf(error, code === null)} />}
        <form
          className={ui.parts}
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy && token.trim() !== '') void begin({ token: token.trim() });
          }}
        >
          <TextField
            label="API key"
            type="password"
            isRequired
            attributes={{ name: 'api_key', autoComplete: 'current-password', autoFocus: code === null }}
            value={token}
            onChange={setToken}
          />
          <Button type="submit" look="main" isDisabled={token.trim() === ''} isBusy={busy}>
            {busy ? 'Signing in' : 'Sign in'}
          </Button>
        </form>
        <p className={ui.note}>
          The role of the key decides what you can see and do. The first start of the service writes the first key, or
          prints it: see <a href="/docs">the documentation</a>. Your browser keeps a cookie for eight hours, and not the
          key.
        </p>
      </div>
    </main>
  );
}

/** @param isOfKey whether a key was given, and no one-time code */
function titleOf(error: unknown, isOfKey: boolean): string {
  return isOfKey && isSignedOut(error) ? 'This API key is not valid' : 'You are not signed in';
}

/** Returns the page to open after the sign-in: a page of the console, and no other address. */
function pageOf(next: string | undefined): string {
  return next !== undefined && /^\/console(?:[/?#]|$)/.test(next) ? next : '/console/';
}

/**
 * Returns the one-time code of the address (`#code=…`), and removes it from the address: neither the history nor a copy
 * of the address has it afterwards. Null without one.
 */
function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (code === null || code === '') return null;
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  return code;
}

export const screen = createLazyRoute('/sign-in')({ component: SignIn });
