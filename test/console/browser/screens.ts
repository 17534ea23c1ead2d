import type { ConsoleSite } from './console-site.js';

/** A screen of the console, for screenshots and for the check of its accessibility. */
export interface Screen {
  /** Name of its screenshots. */
  readonly name: string;
  /** Path below `/console`; a function where it has ids. */
  readonly path: string | ((site: ConsoleSite) => string | Promise<string>);
  /** A text that the complete screen has. */
  readonly ready: string;
  /** Whether it is shown without a session. */
  readonly signedOut?: boolean;
}

/** Every screen. A new screen adds a line. */
export const screens: readonly Screen[] = [
  { name: 'sign-in', path: '/sign-in', ready: 'API key', signedOut: true },
  { name: 'overview', path: '/', ready: 'Misconfigured' },
  { name: 'no-such-page', path: '/nowhere', ready: 'The console has no page at this address' },
];
