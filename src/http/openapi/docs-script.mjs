// Runs in the browser, behind swagger-ui-bundle.js, which defines SwaggerUIBundle.

/** Security scheme with the version of the API: the page sets the header by itself. */
const VERSION_SCHEME = 'service_version';

/** Security scheme with the session of the console: the browser sends its cookie by itself. */
const SESSION_SCHEME = 'session';

/** Most operations whose groups a search opens: each open operation costs the browser some milliseconds. */
const MOST_OPEN = 40;

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** Takes out what a reader has not to choose: the version header, the session, and the only server. */
function withoutChoices(document) {
  delete document.servers;
  for (const scheme of [VERSION_SCHEME, SESSION_SCHEME]) delete document.components.securitySchemes[scheme];
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      const withKey = (operation.security ?? []).filter((entry) => !(SESSION_SCHEME in entry));
      for (const entry of withKey) delete entry[VERSION_SCHEME];
      operation.security = withKey;
    }
  }
  withoutTimePatterns(document.components.schemas);
  return document;
}

/** Takes out the patterns of times: Swagger UI would make example values of them that no clock shows. */
function withoutTimePatterns(value) {
  if (value === null || typeof value !== 'object') return;
  if (value.format === 'date-time') delete value.pattern;
  for (const member of Object.values(value)) withoutTimePatterns(member);
}

/** Returns the groups with the operations that have all words of the text in group, method, path, id or summary. */
function matchingOperations(groups, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group, tag) =>
      group.update('operations', (operations) =>
        operations.filter((entry) => {
          const operation = entry.get('operation');
          const parts = [
            tag,
            entry.get('method'),
            entry.get('path'),
            operation.get('operationId'),
            operation.get('summary'),
          ];
          const described = parts.join(' ').toLowerCase();
          return words.every((word) => described.includes(word));
        }),
      ),
    )
    .filter((group) => group.get('operations').size > 0);
}

/** Returns the text of the search; empty without one. */
function searchText(system) {
  const text = system.layoutSelectors.currentFilter();
  return typeof text === 'string' ? text.trim() : '';
}

function countOf(groups) {
  return groups.reduce((sum, group) => sum + group.get('operations').size, 0);
}

/** The groups that the search has opened. */
let opened = [];

/** Shows what the search finds, and opens its groups. */
function search(text, { layoutActions, specSelectors }) {
  layoutActions.updateFilter(text);
  const groups = specSelectors.taggedOperations();
  const found = text.trim() === '' || countOf(groups) > MOST_OPEN ? [] : [...groups.keys()];
  for (const tag of opened) if (!found.includes(tag)) layoutActions.show(['operations-tag', tag], false);
  for (const tag of found) if (!opened.includes(tag)) layoutActions.show(['operations-tag', tag], true);
  opened = found;
}

/** The search field in place of Swagger UI's filter, which knows the names of groups only. */
function searchField(_original, { React }) {
  const create = React.createElement;
  return function SearchField(system) {
    const text = searchText(system);
    const count = countOf(system.specSelectors.taggedOperations());
    const found = count === 1 ? '1 operation.' : `${count} operations.`;
    return create(
      'div',
      { className: 'wrapper docs-search', role: 'search' },
      create('label', { htmlFor: 'docs-search' }, 'Search the operations'),
      create('input', {
        id: 'docs-search',
        type: 'search',
        placeholder: 'Name, path or method. Press / to search.',
        autoComplete: 'off',
        spellCheck: false,
        value: text === '' ? '' : system.layoutSelectors.currentFilter(),
        onChange: ({ target }) => search(target.value, system),
      }),
      create('p', { role: 'status' }, text === '' ? '' : count === 0 ? 'No operation matches.' : found),
    );
  };
}

/** Shows nothing where no operation matches: Swagger UI would say that the document has none. */
function matchingList(Original, system) {
  const { React } = system;
  return function MatchingList(props) {
    const isEmpty = searchText(system) !== '' && system.specSelectors.taggedOperations().size === 0;
    return isEmpty ? null : React.createElement(Original, props);
  };
}

/** Shows the command with a place for the key, also where the browser has sent the cookie of a session. */
function commandWithKey(Original, { React }) {
  return function CommandWithKey({ request, ...props }) {
    const names = [...(request.get('headers')?.keys() ?? [])].map((name) => name.toLowerCase());
    const complete = names.includes('authorization')
      ? request
      : request.setIn(['headers', 'Authorization'], 'Bearer <API key>');
    return React.createElement(Original, { ...props, request: complete });
  };
}

const docsPlugin = () => ({
  fn: { opsFilter: matchingOperations },
  wrapComponents: { FilterContainer: searchField, operations: matchingList, curl: commandWithKey },
});

document.addEventListener('keydown', (event) => {
  const field = document.getElementById('docs-search');
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping || field === null) return;
  event.preventDefault();
  field.focus();
});

const response = await fetch('/openapi.json');
window.SwaggerUIBundle({
  spec: withoutChoices(await response.json()),
  dom_id: '#swagger-ui',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [docsPlugin],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  tagsSorter: 'alpha',
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  requestInterceptor: (request) => {
    request.headers['Service-Version'] = document.body.dataset.serviceVersion;
    return request;
  },
});
