import type { EventTypeEntry } from '../../src/events/event-catalogue.js';
import { eventCatalogue } from '../../src/resources/event-types.js';
import { exampleOf } from './example-of.js';
import { markdownTable } from './markdown-table.js';

/** Makes the page about events: every type, each with an example that its JSON Schema describes. */
export function makeEventsPage(): string {
  const entries = eventCatalogue.list();
  const families = [...new Set(entries.map(({ resource }) => resource))];
  const rows = entries.map(({ type, description }) => [`[\`${type}\`](#${anchorOf(type)})`, description]);
  return `# Events

<!-- Generated from the families' definitions by "npm run openapi". -->

Every change to a resource is one event. \`GET /event_types\` lists the types, \`GET /event_types/{type}\` has the JSON Schema of each
payload. Fields may be added within \`v0\`; any other change is a new version. A payload is at most 64 KiB. A changed field too large to
repeat is named in \`changes.omitted\`, and \`object\` has its new value. Secrets are always null.

${markdownTable(['Type', 'When'], rows)}

${families.map((family) => section(entries.filter(({ resource }) => resource === family))).join('\n\n')}
`;
}

function section(entries: readonly EventTypeEntry[]): string {
  return entries
    .map(({ type, description }) => {
      const example = exampleOf(eventCatalogue.schemaOf(type));
      return `## ${type}\n\n${description}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
    })
    .join('\n\n');
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z0-9_ -]/g, '');
}
