/**
 * What the documentation adds to the style of Swagger UI: a contrast of at least 4.5 for text, and a layout for 390
 * pixels.
 */
export const DOCS_STYLE = `
html { box-sizing: border-box; overflow-y: scroll; color-scheme: light; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: #fff; font-family: system-ui, sans-serif; }
html.dark-mode body { background: #1c2022; }
.docs-header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.25rem; color: #fff; background: #1d2733; }
.docs-header a { color: #fff; }
.docs-header a:focus-visible { outline: 2px solid #fff; outline-offset: 2px; }
noscript { display: block; padding: 1.25rem; }

.docs-search { display: grid; gap: .35rem; padding-top: 1rem; }
.swagger-ui .docs-search label { margin: 0; font-weight: 600; font-size: .9rem; }
.swagger-ui .docs-search input { width: 100%; max-width: none; margin: 0; padding: .6rem .7rem; font-size: 1rem; border: 2px solid #5d6b7a; }
.swagger-ui .docs-search p { min-height: 1.5em; margin: 0; font-size: .9rem; color: #3b4151; }
html.dark-mode .swagger-ui .docs-search p, html.dark-mode .swagger-ui .docs-search label { color: #e4e6e6; }
.swagger-ui :is(a, button, input, select, textarea, summary, [tabindex]):focus-visible { outline: 2px solid #1b5fa8; outline-offset: 2px; }
html.dark-mode .swagger-ui :is(a, button, input, select, textarea, summary, [tabindex]):focus-visible { outline-color: #8ec5ff; }

html:not(.dark-mode) .swagger-ui input::placeholder, html:not(.dark-mode) .swagger-ui textarea::placeholder { color: #5d6b7a; opacity: 1; }
html:not(.dark-mode) .swagger-ui .opblock .opblock-summary-method { color: #fff; text-shadow: none; }
html:not(.dark-mode) .swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1b5fa8; }
html:not(.dark-mode) .swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1a6e4a; }
html:not(.dark-mode) .swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4b00; }
html:not(.dark-mode) .swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #00666b; }
html:not(.dark-mode) .swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #a8231c; }
html:not(.dark-mode) .swagger-ui .info .title small { background: #4a5160; }
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp { background: #1a6e4a; }
html:not(.dark-mode) .swagger-ui :is(.info, .renderedMarkdown, .markdown, .opblock-tag, .scopes h2) a { color: #1b5fa8; }
html:not(.dark-mode) .swagger-ui :is(.renderedMarkdown, .markdown) code { color: #6b1fb0; }
html:not(.dark-mode) .swagger-ui .btn.authorize { color: #1a6e4a; border-color: #1a6e4a; }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #1a6e4a; }
html:not(.dark-mode) .swagger-ui .btn.cancel { color: #a8231c; border-color: #a8231c; }
html:not(.dark-mode) .swagger-ui .btn.execute { background: #1b5fa8; border-color: #1b5fa8; }
html:not(.dark-mode) .swagger-ui :is(.parameter__name.required span, .parameter__name.required::after, .parameter__deprecated, table.model tr.property-row .star, .auth-container .errors) { color: #a8231c; }
html:not(.dark-mode) .swagger-ui :is(.parameter__in, .parameter__extension, .response__extension, .response-undocumented, table.headers .header-example, .prop-format, .model .property, .model .property.primitive, .loading) { color: #595f6b; }
html:not(.dark-mode) .swagger-ui .response-control-media-type__accept-message { color: #1a6e4a; }
html:not(.dark-mode) .swagger-ui .download-contents { background: #4a5160; }
html:not(.dark-mode) .swagger-ui :is(.json-schema-2020-12-keyword__name--secondary, .json-schema-2020-12-keyword__value--secondary, .json-schema-2020-12-keyword__name--extension, .json-schema-2020-12-keyword__value--extension, .json-schema-2020-12-json-viewer__name--secondary, .json-schema-2020-12-json-viewer__value--secondary, .json-schema-2020-12-json-viewer__name--extension, .json-schema-2020-12-json-viewer__value--extension, .json-schema-2020-12-keyword__value, .json-schema-2020-12-json-viewer__value, .json-schema-2020-12-keyword--description, .json-schema-2020-12__attribute--muted) { color: #595f6b; }
html:not(.dark-mode) .swagger-ui .json-schema-2020-12__attribute--warning { color: #a8231c; }
html:not(.dark-mode) .swagger-ui .json-schema-2020-12__attribute--primary { color: #4a4a9c; }
html:not(.dark-mode) .swagger-ui .json-schema-2020-12__constraint { color: #fff; background: #5b3fa0; }
html:not(.dark-mode) .swagger-ui .json-schema-2020-12__constraint--string { color: #fff; background: #8a4b00; }
.swagger-ui .opblock-deprecated { opacity: 1; }
.swagger-ui .microlight [style*='rgb(211, 99, 99)'] { color: #ffa0a0 !important; }
html.dark-mode .swagger-ui :is(table.headers td, .header-col, .header-example, .response-undocumented, .parameter__in) { color: #d2d6d7; }

@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 .75rem; }
  .swagger-ui .info { margin: 1rem 0; }
  .swagger-ui .info .title { font-size: 1.6rem; }
  .swagger-ui .scheme-container { padding: 1rem 0; }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap; gap: 1rem; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 1.1rem; padding: .6rem 0; }
  .swagger-ui .opblock-tag > * { min-width: 0; }
  .swagger-ui .opblock-tag small { flex: 1 1 100%; order: 1; padding: .25rem 0 0; }
  .swagger-ui .opblock .opblock-summary { padding: .4rem; align-items: flex-start; }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap; gap: .35rem; min-width: 0; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 4.5rem; padding: .35rem 0; }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { flex: 1 1 100%; flex-direction: column; align-items: flex-start; gap: .15rem; padding: 0; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; padding: 0; overflow-wrap: anywhere; }
  .swagger-ui .opblock .opblock-summary-description { padding: 0; }
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; height: auto; }
  .swagger-ui .table-container { padding: .75rem; }
  .swagger-ui :is(.parameters, .responses-table, .live-responses-table, .headers):is(table) thead { display: none; }
  .swagger-ui :is(.parameters, .responses-table, .live-responses-table, .headers):is(table) :is(tbody, tr, td) { display: block; width: 100%; max-width: none; }
  .swagger-ui table tbody tr td:first-of-type { max-width: none; min-width: 0; padding: .5rem 0 0; }
  .swagger-ui table tbody tr td { padding: .35rem 0 0; }
  .swagger-ui .opblock-body { min-width: 0; }
  .swagger-ui :is(pre, code, .renderedMarkdown, .curl) { overflow-wrap: anywhere; white-space: pre-wrap; }
  .swagger-ui .renderedMarkdown { white-space: normal; }
  .swagger-ui :is(input, select, textarea) { max-width: 100%; min-width: 0; }
  .swagger-ui .parameters-col_description input { max-width: 100%; }
  .swagger-ui .json-schema-2020-12 { max-width: 100%; margin-left: 0; overflow-x: auto; }
  .swagger-ui .dialog-ux .modal-ux { width: calc(100vw - 1.5rem); min-width: 0; }
  .swagger-ui .dialog-ux .modal-ux-content { padding: .75rem; overflow-wrap: anywhere; }
}
`;
