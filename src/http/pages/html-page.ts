import { createHash } from 'node:crypto';

/** An HTML page with its Content-Security-Policy. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/** What a page is made of. */
export interface PageParts {
  /** Title of the window, without the name of the product. */
  readonly title: string;
  /** The content of `<main>`, as HTML. */
  readonly body: string;
  /** CSS beside that of all pages. */
  readonly style: string;
  /** Whether the page has a form, which it sends to this server. */
  readonly hasForm: boolean;
}

/** Colours of both themes with a contrast of at least 4.5 for text, and what all pages share. */
const SHARED_STYLE = `
:root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --ink: #1d2733; --soft: #5d6b7a; --line: #d5dbe2; --accent: #1f6f5c; --alarm: #a3341f; }
@media (prefers-color-scheme: dark) { :root { --ground: #12171d; --card: #1b222b; --ink: #e6ebf0; --soft: #94a2b1; --line: #313c48; --accent: #4cb79c; --alarm: #f08a75; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 .25rem; font-size: 1.25rem; }
p { margin: 0 0 1.25rem; color: var(--soft); }
a { color: var(--accent); }
a:focus-visible, input:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/**
 * Returns a page without scripts that loads nothing. Its policy allows its own style, and its form if it has one.
 */
export function htmlPage({ title, body, style, hasForm }: PageParts): Page {
  const css = SHARED_STYLE + style;
  const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <link rel="icon" href="data:,">
  <title>${escapeHtml(title)} · Waybill</title>
  <style>${css}</style>
</head>
<body>
  <main>
    ${body}
  </main>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
    'img-src data:',
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, policy };
}

/** Returns text for the content of an element, or for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
