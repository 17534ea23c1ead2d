import { createHash } from 'node:crypto';

/** An HTML page with its Content-Security-Policy. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

const STYLE = `
:root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --ink: #1d2733; --soft: #5d6b7a; --line: #d5dbe2; --accent: #1f6f5c; --alarm: #a3341f; }
@media (prefers-color-scheme: dark) { :root { --ground: #12171d; --card: #1b222b; --ink: #e6ebf0; --soft: #94a2b1; --line: #313c48; --accent: #4cb79c; --alarm: #f08a75; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 25rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 .25rem; font-size: 1.25rem; }
p { margin: 0 0 1.25rem; color: var(--soft); }
p[role=alert] { color: var(--alarm); }
label { display: block; margin-bottom: .35rem; font-weight: 600; font-size: .9rem; }
input { width: 100%; padding: .6rem .7rem; margin-bottom: 1rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem; }
button { width: 100%; padding: .65rem; font: inherit; font-weight: 600; color: var(--card); background: var(--accent); border: 0; border-radius: .4rem; cursor: pointer; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
p:last-child { margin: 1rem 0 0; text-align: center; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');
const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Content policy of bull-board's pages: scripts and styles of this server, inline styles (widths and colours), and no
 * other host. The policy blocks bull-board's fonts from Google.
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
  const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <link rel="icon" href="data:,">
  <title>${title} · Waybill</title>
  <style>${STYLE}</style>
</head>
<body>
  <main>
    <h1>Waybill queues</h1>
    ${body}
  </main>
</body>
</html>
`;
  return { html, policy: pagePolicy };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
