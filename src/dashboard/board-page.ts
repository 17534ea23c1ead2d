import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { UIConfig } from '@bull-board/api/typings/app';
import type { FastifyInstance } from 'fastify';

/** What Waybill adds to the page of bull-board. docs/decisions/console.md has the reasons. */

const script = fileURLToPath(new URL('board-script.mjs', import.meta.url));

const SANS = 'system-ui, sans-serif';
const MONO = 'ui-monospace, SFMono-Regular, Menlo, monospace';

/** Colours of text with a contrast of at least 4.5 on every ground of bull-board, and fonts of the reader's machine. */
export const boardTheme: NonNullable<UIConfig['theme']> = {
  light: {
    'font-sans': SANS,
    'font-mono': MONO,
    'muted-foreground': '#4f5a65',
    'state-selected-foreground': '#0a5048',
    'sidebar-state-selected-foreground': '#0a5048',
    destructive: '#b3322c',
    'status-failed': '#c02626',
    'status-completed': '#137a3a',
    'status-waiting': '#8f4e00',
    'status-waiting-children': '#a8480a',
    'status-prioritized': '#a21caf',
    'status-active': '#1d55c9',
    'status-delayed': '#6d28d9',
    'status-paused': '#5d5751',
  },
  dark: {
    'font-sans': SANS,
    'font-mono': MONO,
    'muted-foreground': '#a9b3c0',
    destructive: '#f08a83',
    'status-failed': '#f08a8a',
    'status-completed': '#55c581',
    'status-waiting': '#dcb657',
    'status-waiting-children': '#e8ab78',
    'status-prioritized': '#dd8fe8',
    'status-active': '#86aef0',
    'status-delayed': '#b39bf0',
    'status-paused': '#b5b1aa',
  },
};

/** A cylinder, the usual picture of a database, instead of the logo of Redis. */
const CYLINDER =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='2'%3E%3Cellipse cx='12' cy='5' rx='8' ry='3'/%3E%3Cpath d='M4 5v14c0 1.7 3.6 3 8 3s8-1.3 8-3V5M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3'/%3E%3C/svg%3E";

const STYLE = `
:root { --hl-meta: #5f6b76; --hl-built_in: #00648a; }
.dark-mode { --hl-meta: #a9b3c0; }
[class*='groupCount-'], [class*='rangeButton-'], [class*='copyBtn-']:focus-visible { opacity: 1; }
button[aria-label='PostgreSQL details'] svg { display: none; }
button[aria-label='PostgreSQL details']::before { content: ''; width: 1.25em; height: 1.25em; background: currentColor; mask: url("${CYLINDER}") center / contain no-repeat; }
`;

const STYLE_PATH = '/waybill/board.css';
const SCRIPT_PATH = '/waybill/board.mjs';

/**
 * Adds a style and a script to bull-board's page, which names its nameless buttons, and removes its font from Google,
 * which the content policy blocks. To be called in the scope that bull-board's plugin is registered in.
 * @param prefix path of the scope
 */
export function repairBoard(scope: FastifyInstance, prefix: string, backend: 'redis' | 'postgres'): void {
  scope.get(STYLE_PATH, (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
  scope.get(SCRIPT_PATH, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(await readFile(script)),
  );
  const head = `<link rel="stylesheet" href="${prefix}${STYLE_PATH}">`;
  const foot = `<script type="module" src="${prefix}${SCRIPT_PATH}"></script>`;
  scope.addHook('onSend', (_request, reply, payload, done) => {
    const isPage = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
    if (!isPage) return done(null, payload);
    const repaired = payload
      .replaceAll(/<link\b[^>]*\bfonts\.googleapis\.com[^>]*>/g, '')
      .replace('</head>', () => `${head}</head>`)
      .replace('<body', () => `<body data-queues="${backend}"`)
      .replace('</body>', () => `${foot}</body>`);
    return done(null, repaired);
  });
}
