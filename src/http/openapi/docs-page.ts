import { SERVICE_VERSION } from '../server/request-hooks.js';

/** Content policy of the page: scripts, styles and requests of this server only. Swagger UI's icons are data URLs. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Returns the page of the documentation. @param assets path of its scripts and styles, with a slash at the end */
export function docsPage(assets: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>API documentation · Waybill</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${assets}swagger-ui.css">
  <link rel="stylesheet" href="${assets}docs.css">
  <script defer src="${assets}swagger-ui-bundle.js"></script>
  <script type="module" src="${assets}docs.mjs"></script>
</head>
<body data-service-version="${SERVICE_VERSION}">
  <nav class="docs-header" aria-label="Waybill">
    <a href="/console">Console</a>
    <a href="/dashboard">Queues</a>
    <a href="/openapi.json">OpenAPI document</a>
  </nav>
  <noscript>This page needs JavaScript. The same documentation is in <a href="/openapi.json">the OpenAPI document</a>.</noscript>
  <div id="swagger-ui"></div>
</body>
</html>
`;
}
