import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../components/button.js';
import { MOD_KEY, useHotkey } from '../components/hotkey.js';
import { Icon } from '../components/icon.js';
import { AccountMenu, loadAccountPopover } from './account-menu.js';
import { useLostFocus } from './lost-focus.js';
import { navigation } from './navigation.js';
import type { Act } from './resource-commands.js';
import ui from '../components/ui.module.css';
import styles from './shell.module.css';

/** Time after which what a page may open is loaded in advance, in milliseconds. */
const AFTER_PAGE_MS = 1_000;

const loadPalette = () => import('./palette.js');
const Palette = lazy(loadPalette);
const KeysDialog = lazy(() => import('./keys-dialog.js'));
const ManyDialog = lazy(async () => ({ default: (await import('../components/many/many-dialog.js')).ManyDialog }));

/** The frame of every signed-in page: navigation, palette, account, and the page itself. */
export function Shell() {
  const main = useRef<HTMLElement>(null);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [isKeysOpen, setKeysOpen] = useState(false);
  const [action, setAction] = useState<Parameters<Act> | null>(null);
  const openPalette = (): void => {
    setTyped('');
    setPaletteOpen(true);
  };
  useHotkey('mod+k', openPalette);
  useHotkey('?', () => setKeysOpen(true));
  // After what the page shows first: they are there when they are opened.
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([loadPalette(), loadAccountPopover()]), AFTER_PAGE_MS);
    return () => clearTimeout(timer);
  }, []);
  useFocusOnNavigation(main);
  useLostFocus(main);
  return (
    <>
      <a
        href="#main"
        className={styles.skip}
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <LoadingLine />
      <header className={styles.bar}>
        <Link to="/" className={styles.brand} aria-label="Waybill, overview">
          Waybill
        </Link>
        <nav aria-label="Console" className={styles.nav}>
          {navigation
            .filter(({ isInMenu }) => isInMenu !== true)
            .map(({ to, label, icon }) => (
              <Link
                key={to}
                to={to}
                className={styles.link}
                activeOptions={{ exact: to === '/', includeSearch: false }}
              >
                <Icon name={icon} />
                {label}
              </Link>
            ))}
        </nav>
        <div className={styles.tools}>
          <Button icon="search" look="quiet" onPress={openPalette}>
            Jump to
          </Button>
          <kbd className={styles.keys}>{MOD_KEY} K</kbd>
          <AccountMenu />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <Suspense fallback={<PaletteField onType={setTyped} onClose={() => setPaletteOpen(false)} />}>
        {isPaletteOpen && (
          <Palette
            typed={typed}
            onClose={() => setPaletteOpen(false)}
            act={(...chosen) => setAction(chosen)}
            showKeys={() => setKeysOpen(true)}
          />
        )}
      </Suspense>
      <Suspense>
        {isKeysOpen && <KeysDialog onClose={() => setKeysOpen(false)} />}
        {action && <ManyDialog action={action[0]} targets={[action[1]]} onClose={() => setAction(null)} />}
      </Suspense>
    </>
  );
}

interface PaletteFieldProps {
  readonly onType: (text: string) => void;
  readonly onClose: () => void;
}

/** Takes what is typed while the palette is loaded. */
function PaletteField({ onType, onClose }: PaletteFieldProps) {
  return (
    <div className={ui.overlay}>
      <input
        autoFocus
        aria-label="Page or command"
        className={ui.control}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onClose();
        }}
      />
    </div>
  );
}

/** A thin line while the next page is read. */
function LoadingLine() {
  const isLoading = useRouterState({ select: (state) => state.status === 'pending' });
  return isLoading ? <div className={styles.loading} aria-hidden="true" /> : null;
}

/** Moves the focus to the page after a navigation, so that a screen reader reads it and the keyboard starts there. */
function useFocusOnNavigation(main: { readonly current: HTMLElement | null }): void {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (before.current !== undefined && path !== before.current) main.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path, main]);
}
