import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { KeyRole } from '../../../src/accounts/key-role.js';
import { installConsole } from '../../../tools/console-build/cached-console.js';
import { findChromium, sharedChromium, WAIT_MS } from '../../e2e/dashboard/chromium.js';
import { DeliveringApi } from '../../support/delivering-api.js';
import { pageComplaints } from './page-complaints.js';

const root = path.resolve(import.meta.dirname, '../../..');

/** Ends when the service can serve the console. */
let installed: Promise<void> | undefined;

/** The browser that the tests of the console use; null, and a loud message, where there is none. */
export const chromium = findChromium();

/** Width and height of a page in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How a page is opened. */
export interface PageOptions {
  /** Role of the API key that signs in; default: admin. Null: nobody signs in. */
  readonly role?: KeyRole | null;
  /** Path below `/console` that is opened. */
  readonly path?: string;
  readonly size?: Size;
}

const DESKTOP: Size = { width: 1280, height: 800 };

/** A service with workers, a sandbox in place of the clouds, and a browser that shows the console. */
export class ConsoleSite {
  private readonly complaints = new Map<Page, readonly string[]>();
  private readonly profiles: BrowserContext[] = [];

  private constructor(
    /** The service, its worker and the sandbox. */
    readonly events: DeliveringApi,
    private readonly browser: Browser,
  ) {}

  /** Builds the console where it has changed, and starts all of it. @param settings settings of the service */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<ConsoleSite> {
    installed ??= installConsole(root);
    await installed;
    const events = await DeliveringApi.start(settings);
    return new ConsoleSite(events, await sharedChromium(chromium ?? ''));
  }

  async close(): Promise<void> {
    await Promise.all(this.profiles.map((profile) => profile.close()));
    await this.events.close();
  }

  /** Address of the console. */
  get url(): string {
    return `${this.events.api.baseUrl}/console`;
  }

  /** Creates an API key of the first admin with this role, and returns its token. */
  async keyOf(role: KeyRole): Promise<string> {
    const { token } = await this.events.api.admin.create('/api_keys', { role });
    return String(token);
  }

  /**
   * Opens a page for the test that runs, with a separate profile and a session. It is closed after the test: a page
   * that stays reads live values and draws them.
   */
  async page(options: PageOptions = {}): Promise<Page> {
    const page = await this.lastingPage(options);
    onTestFinished(() => page.context().close());
    return page;
  }

  /** Opens a page like `page`, for all tests of a file. */
  async lastingPage({ role = 'admin', path: below = '/', size = DESKTOP }: PageOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: size, locale: 'en-US' });
    this.profiles.push(context);
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    this.complaints.set(page, pageComplaints(page, this.events.api.baseUrl));
    if (role !== null) await this.startSession(context, await this.keyOf(role));
    await page.goto(`${this.url}${below}`);
    if (role !== null) await page.getByRole('navigation', { name: 'Console' }).waitFor();
    return page;
  }

  /** Signs the profile in as the sign-in page does: its cookie is that of the response. */
  private async startSession(profile: BrowserContext, token: string): Promise<void> {
    const response = await profile.request.post(`${this.events.api.baseUrl}/session`, {
      data: { token },
      headers: { 'service-version': '2' },
    });
    if (!response.ok()) throw new Error(`Nobody could sign in: ${await response.text()}`);
  }

  /** Returns what went wrong in a page: errors of its scripts, violations of its content policy, foreign requests. */
  complaintsOf(page: Page): readonly string[] {
    return this.complaints.get(page) ?? [];
  }
}

/**
 * Signs in on the sign-in page that is open.
 * @throws Error with what the page shows instead
 */
export async function signInWith(page: Page, token: string): Promise<void> {
  const field = page.getByLabel('API key');
  await field.waitFor().catch(async (error: unknown) => {
    const shown = await page.locator('body').innerText();
    throw new Error(`${page.url()} is not the sign-in page. It shows: ${shown}`, { cause: error });
  });
  await field.fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
}
