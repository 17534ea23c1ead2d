import { escapeHtml, htmlPage, type Page } from '../http/pages/html-page.js';

export type { Page };

const STYLE = `
main { max-width: 25rem; }
p[role=alert] { color: var(--alarm); }
label { display: block; margin-bottom: .35rem; font-weight: 600; font-size: .9rem; }
input { width: 100%; padding: .6rem .7rem; margin-bottom: 1rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem; }
button { width: 100%; padding: .65rem; font: inherit; font-weight: 600; color: var(--card); background: var(--accent); border: 0; border-radius: .4rem; cursor: pointer; }
p:last-child { margin: 1rem 0 0; text-align: center; }
`;

/**
 * Content policy of bull-board's pages: scripts and styles of this server, inline styles (widths and colours), and no
 * other host.
 */
export const boardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the sign-in page. @param refusal the reason why the last key was refused */
export function signInPage(refusal?: string): Page {
  const message =
    refusal === undefined
      ? '<p>Sign in with the API key of an admin.</p>'
      : `<p role="alert">${escapeHtml(refusal)}</p>`;
  return page(
    'Sign in',
    `${message}
    <form method="post" action="/dashboard/login">
      <label for="api_key">API key</label>
      <input id="api_key" name="api_key" type="password" autocomplete="current-password" spellcheck="false" required autofocus>
      <button type="submit">Sign in</button>
    </form>`,
  );
}

/** Returns the sign-out page with a form, since a link must not change anything. */
export function signOutPage(): Page {
  return page(
    'Sign out',
    `<p>Sign out of the dashboard in this browser.</p>
    <form method="post" action="/dashboard/logout"><button type="submit">Sign out</button></form>
    <p><a href="/dashboard/">Back to the queues</a></p>`,
  );
}

function page(title: string, body: string): Page {
  return htmlPage({ title, style: STYLE, hasForm: true, body: `<h1>Waybill queues</h1>\n    ${body}` });
}
