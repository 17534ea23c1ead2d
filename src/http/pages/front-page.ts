import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.js';
import { baseUrlOf } from '../request/origin.js';
import { escapeHtml, htmlPage } from './html-page.js';

/** A page or resource of the service for people who do not know it yet. */
interface Link {
  /** Name in the JSON response. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** Whether only a process with the role `api` serves it. */
  readonly ofApi: boolean;
}

const links: readonly Link[] = [
  {
    name: 'console',
    path: '/console',
    title: 'Console',
    text: 'Destinations, events and deliveries: see, find, pause and repair.',
    ofApi: true,
  },
  {
    name: 'docs',
    path: '/docs',
    title: 'API documentation',
    text: 'Every operation, with a search and a form that sends requests.',
    ofApi: true,
  },
  {
    name: 'openapi',
    path: '/openapi.json',
    title: 'OpenAPI document',
    text: 'The same for code generators.',
    ofApi: true,
  },
  {
    name: 'dashboard',
    path: '/dashboard',
    title: 'Queue dashboard',
    text: 'Jobs and workers of the queues, for admins.',
    ofApi: true,
  },
  {
    name: 'ready',
    path: '/readyz',
    title: 'Readiness',
    text: 'Whether this process takes requests and the stores that it needs are usable.',
    ofApi: false,
  },
  {
    name: 'live',
    path: '/livez',
    title: 'Liveness',
    text: 'Whether this process makes progress.',
    ofApi: false,
  },
];

const SUMMARY =
  'The audit trail of your API: every change is an event, delivered in order, at least once and numbered without gaps.';

const STYLE = `
main { max-width: 44rem; }
h1 { font-size: 1.75rem; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
@media (min-width: 40rem) { ul { grid-template-columns: 1fr 1fr; } }
li { padding: .85rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
li a { font-weight: 600; }
li p { margin: .15rem 0 0; font-size: .9rem; }
`;

/**
 * Serves `GET /`: what runs here, with links. A browser gets a page, any other client JSON. It needs no API key, and
 * says nothing that the linked pages do not say.
 */
export function serveFrontPage(fastify: FastifyInstance, config: Pick<Config, 'ROLES' | 'PUBLIC_URL'>): void {
  const shown = links.filter(({ ofApi }) => !ofApi || config.ROLES.includes('api'));
  const page = htmlPage({ title: 'Welcome', body: bodyOf(shown, config.ROLES), style: STYLE, hasForm: false });
  fastify.get('/', { config: { public: true } }, (request, reply) => {
    reply.header('vary', 'Accept');
    if (prefersHtml(request.headers.accept)) {
      return reply.header('content-security-policy', page.policy).type('text/html; charset=utf-8').send(page.html);
    }
    const base = baseUrlOf(request.state.origin, config);
    return reply.send({
      service: 'Waybill',
      summary: SUMMARY,
      roles: config.ROLES,
      links: Object.fromEntries(shown.map(({ name, path }) => [name, `${base}${path}`])),
    });
  });
}

function bodyOf(shown: readonly Link[], roles: Config['ROLES']): string {
  const items = shown.map(
    ({ path, title, text }) => `<li><a href="${path}">${escapeHtml(title)}</a><p>${escapeHtml(text)}</p></li>`,
  );
  return `<h1>Waybill</h1>
    <p>${escapeHtml(SUMMARY)} This process ${work(roles)}.</p>
    <ul>
      ${items.join('\n      ')}
    </ul>`;
}

function work(roles: Config['ROLES']): string {
  const parts = { api: 'serves the API', worker: 'delivers events' } as const;
  return [...new Set(roles)].map((role) => parts[role]).join(' and ');
}

/**
 * Whether an Accept header names HTML, and JSON not before it (RFC 9110 section 12.5.1). A range such as that of curl
 * names neither.
 */
export function prefersHtml(accept = ''): boolean {
  const quality = (type: string): number => {
    const range = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === type);
    if (range === undefined) return 0;
    const [, given = '1'] = /;\s*q=([\d.]+)/i.exec(range) ?? [];
    return Number(given);
  };
  const html = quality('text/html');
  return html > 0 && html >= quality('application/json');
}
