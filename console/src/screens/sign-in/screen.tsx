import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ComponentProps } from 'react';
import { isSignedOut } from '../../api/problem.js';
import { previewCode, sessionQuery, signIn, signOut, type Session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/form-field.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { CodeQuestion } from './code-question.js';
import { pageAfterSignIn } from './next-page.js';
import ui from '../../components/ui.module.css';
import styles from './sign-in.module.css';

/** What a one-time code would begin, and what it would end. */
interface Offer {
  readonly code: string;
  readonly offered: Session;
  readonly current: Session | null;
}

/** The sign-in page: with an API key, or with the one-time code of the address, after a question. It also signs out. */
function SignIn() {
  const { next, ended } = screen.useSearch();
  const signsOut = useLocation({ select: ({ state }) => state.signsOut === true });
  const client = useQueryClient();
  const router = useRouter();
  const [code] = useState(takeCode);
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<ComponentProps<typeof ProblemPanel> | null>(null);
  const [busy, setBusy] = useState<'Signing in' | 'Signing out' | null>(code === null ? null : 'Signing in');
  const [offer, setOffer] = useState<Offer | null>(null);
  const hasBegun = useRef(false);

  async function begin(credential: { readonly token: string } | { readonly code: string }): Promise<void> {
    setBusy('Signing in');
    setProblem(null);
    try {
      await signIn(client, credential);
      const page = pageAfterSignIn(next);
      if (page.startsWith('/dashboard')) window.location.replace(page);
      else router.history.replace(page);
    } catch (error) {
      setProblem({ error, title: titleOf(error, code === null) });
      setBusy(null);
    }
  }

  async function ask(given: string): Promise<void> {
    try {
      const [offered, current] = await Promise.all([previewCode(given), client.fetchQuery(sessionQuery)]);
      setOffer({ code: given, offered, current });
    } catch (error) {
      setProblem({ error, title: titleOf(error, false) });
    }
    setBusy(null);
  }

  async function end(): Promise<void> {
    setBusy('Signing out');
    setProblem(null);
    try {
      await signOut(client);
      await router.navigate({ to: '/sign-in', replace: true });
    } catch (error) {
      setProblem({ error, title: 'You are still signed in', onRetry: () => void end() });
    }
    setBusy(null);
  }

  useEffect(() => {
    if (hasBegun.current || (!signsOut && code === null)) return;
    hasBegun.current = true;
    void (code === null ? end() : ask(code));
  });

  if (offer !== null && problem === null) {
    return (
      <main className={styles.page}>
        <div className={`${ui.card} ${ui.parts} ${styles.card}`}>
          <p className={`${ui.soft} ${ui.strong}`}>Waybill</p>
          <CodeQuestion
            offered={offer.offered}
            current={offer.current}
            isBusy={busy !== null}
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
        <PageHeader title="Sign in">{ended === 'true' && problem === null && 'Your session has ended.'}</PageHeader>
        {problem && <ProblemPanel {...problem} />}
        <form
          className={ui.parts}
          onSubmit={(event) => {
            event.preventDefault();
            if (busy === null && token.trim() !== '') void begin({ token: token.trim() });
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
          <Button type="submit" look="main" isDisabled={token.trim() === ''} isBusy={busy !== null}>
            {busy ?? 'Sign in'}
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
