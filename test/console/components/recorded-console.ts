import path from 'node:path';
import type { Page, Request } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { CONSOLE_POLICY } from '../../../src/console/console-files.js';
import { TargetKindsController } from '../../../src/destinations/target-kinds.controller.js';
import { cachedConsole } from '../../../tools/console-build/cached-console.js';
import { sharedChromium, WAIT_MS } from '../../e2e/dashboard/chromium.js';
import type { JsonObject } from '../../support/api-client.js';
import { chromium } from '../browser/console-site.js';
import { pageComplaints } from '../browser/page-complaints.js';

const root = path.resolve(import.meta.dirname, '../../..');
/** No connection is made to it: every request of the page gets a recorded response. */
const ORIGIN = 'https://console.test';
const BASE = '/console/';
/** The folder of the built console: all files are read to find it. */
let built: Promise<string> | undefined;

/** A response that is no success. */
export class Refusal {
  constructor(
    readonly status: number,
    /** The problem document. */
    readonly body: object,
  ) {}
}

/**
 * Bodies of responses, by method and path without the query: `GET /event_types`. A function gets the body of the
 * request, and its address. A text is sent as it is.
 */
export type Responses = Readonly<Record<string, object | string | ((body: unknown, url: URL) => object | string)>>;

/** What the service says of its kinds of target. */
export const targetKinds = JSON.parse(new TargetKindsController().list({ baseUrl: '' }).toJson()) as {
  readonly target_kinds: readonly JsonObject[];
};

/** The session of an admin. */
export const adminSession = {
  account_id: 'acc_1',
  account_name: 'Test',
  principal: { id: 'usr_1', type: 'user', name: 'Ada', admin: true },
  credential_id: 'ak_1',
  role: 'admin',
  access: ['self', 'read', 'export', 'operate', 'change', 'publish'],
  may_view_queues: false,
  expires_at: null,
};

/** What every page reads, as the session of an admin gets it from a service without destinations. */
const ofEveryPage: Responses = {
  'GET /session': adminSession,
  'GET /api_keys/ak_1': { id: 'ak_1', uri: '/api_keys/ak_1', description: null },
  'GET /target_kinds': targetKinds,
  'GET /event_destinations/status': { statuses: [], uri: '', next_page_uri: null },
  'GET /event_destinations/recoveries': { recoveries: [], uri: '', next_page_uri: null },
  'GET /events/counts': { from: '', to: '', steps: [], events: 0, reached: null, deliveries: {}, deliveries_of: 0 },
  'GET /event_destinations/deliveries/counts': { counts: [], uri: '', next_page_uri: null },
};

/** The built console in a browser, with recorded responses in place of a service. */
export interface RecordedConsole {
  readonly page: Page;
  /** What the page sent that is no read, in order. */
  readonly changes: readonly { readonly operation: string; readonly body: unknown }[];
  /** What went wrong in the page. A request without a recorded response is in it. */
  readonly complaints: readonly string[];
}

/**
 * Opens a page of the console for the test that runs.
 * @param below path below `/console`
 * @param recorded responses in addition to those that every page needs, or in their place
 * @param options whether the test moves the clock of the page, with `page.clock`
 */
export async function openRecorded(
  below: string,
  recorded: Responses,
  { clock = false }: { readonly clock?: boolean } = {},
): Promise<RecordedConsole> {
  built ??= cachedConsole(root);
  const files = await built;
  const browser = await sharedChromium(chromium ?? '');
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const missing: string[] = [];
  const changes: { operation: string; body: unknown }[] = [];
  const complaints = pageComplaints(page, ORIGIN);
  const responses: Responses = { ...ofEveryPage, ...recorded };
  await page.route(`${ORIGIN}/**`, async (route, request) => {
    const url = new URL(request.url());
    const { pathname } = url;
    if (pathname.startsWith(BASE)) {
      const file = pathname.startsWith(`${BASE}assets/`) ? pathname.slice(BASE.length) : 'index.html';
      await route.fulfill({
        path: path.join(files, file),
        headers: { 'content-security-policy': CONSOLE_POLICY },
      });
      return;
    }
    // The page reads the list instead.
    if (pathname === '/event_destinations/status/stream') {
      await route.abort();
      return;
    }
    const operation = `${request.method()} ${pathname}`;
    const sent = bodyOf(request);
    if (request.method() !== 'GET') changes.push({ operation, body: sent });
    const response = responses[operation];
    if (response === undefined) missing.push(operation);
    const body = typeof response === 'function' ? response(sent, url) : (response ?? notRecorded(operation));
    if (body instanceof Refusal) await route.fulfill({ status: body.status, json: body.body });
    else await route.fulfill(typeof body === 'string' ? { body } : { json: body });
  });
  if (clock) await page.clock.install();
  await page.goto(`${ORIGIN}${BASE}${below.replace(/^\//, '')}`);
  return {
    page,
    changes,
    get complaints() {
      return [...complaints, ...missing.map((operation) => `no response is recorded for ${operation}`)];
    },
  };
}

function bodyOf(request: Request): unknown {
  const text = request.postData();
  return text === null ? undefined : JSON.parse(text);
}

function notRecorded(operation: string): Refusal {
  return new Refusal(404, { error_code: 'not_found', detail: `No response is recorded for ${operation}.` });
}
