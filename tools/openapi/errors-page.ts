import { errorCodes } from '../../src/problems/error-codes.js';
import { markdownTable } from './markdown-table.js';

/** Makes the page about errors: one row for each code. */
export function makeErrorsPage(): string {
  const rows = Object.entries(errorCodes)
    .toSorted(([a, { status: left }], [b, { status: right }]) => left - right || (a < b ? -1 : 1))
    .map(([code, { status, title, meaning }]) => [String(status), `\`${code}\``, title, meaning]);
  return `# Errors

<!-- Generated from src/problems/error-codes.ts by "npm run generate". -->

Every error response is an \`application/problem+json\` document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)):

\`\`\`json
{
  "type": "urn:waybill:error:invalid_input",
  "title": "The input is not valid",
  "status": 400,
  "detail": "/name: is required",
  "instance": "urn:waybill:operation:op_01jqz8y3s5e0kr6k4fvn0xw2ch",
  "error_code": "invalid_input",
  "operation_id": "op_01jqz8y3s5e0kr6k4fvn0xw2ch",
  "errors": [{ "pointer": "/name", "detail": "is required" }]
}
\`\`\`

\`error_code\` is stable: programs decide by it. \`detail\` is for people and may change. \`operation_id\` is also in the
\`Operation-Id\` header and in the log. Invalid input adds \`errors\`: \`pointer\` is an RFC 6901 pointer into the body,
\`?name\` for a query parameter, \`{name}\` for a path parameter. A conflict adds \`conflicts\`: the ids of the resources that
prevent the change. \`src/http/problems/problem-document.ts\` makes these documents; \`src/problems/problem.ts\` is the error that services throw.

${markdownTable(['Status', '`error_code`', 'Title', 'When'], rows)}
`;
}
