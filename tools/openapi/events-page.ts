import { checkpointEvent } from '../../src/events/catalogue/checkpoint-event.js';
import { epochStartedEvent } from '../../src/events/catalogue/epoch-started-event.js';
import { erasureEvent } from '../../src/events/catalogue/erasure-event.js';
import type { DirectEventType } from '../../src/events/catalogue/event-catalogue.js';
import { eventCatalogue } from '../../src/resources/event-types.js';
import { exampleOf } from './example-of.js';
import { markdownTable } from './markdown-table.js';

/** The resource whose events the page shows. */
const SHOWN = 'ip_policy';

/** Makes the page about events: every type, with an example for each action. */
export function makeEventsPage(): string {
  const entries = eventCatalogue.ofResources();
  const reports = eventCatalogue.ofReports();
  const rows = [...new Set(entries.map(({ resource }) => resource))].map((resource) => {
    const ofResource = entries.filter((entry) => entry.resource === resource);
    return [`\`${resource}\``, ofResource.map(({ type }) => `\`${type}\``).join(', ')];
  });
  return `# Events

<!-- Generated from the families' definitions by "npm run generate". -->

Every change to a resource is one event. \`GET /event_types\` lists the types, \`GET /event_types/{type}\` has the JSON Schema of each
payload. Fields may be added within \`v0\`; any other change is a new version. A payload is at most 64 KiB. A changed field too large to
repeat is named in \`changes.omitted\`, and \`object\` has its new value. Secrets are always null.

\`version\` is the version of the resource: 1 when it was created, 1 more with each change, its deletion included. Its \`ETag\` shows the
same number. To mirror resources, subscribe, then read the lists, then apply the events in the order of \`sequence\`. Ignore an event
whose \`version\` is not higher than that of the last event of the resource. Nothing is missed ([why](decisions/fan-out.md)). Or
subscribe to \`<resource>_snapshot.v0\` too: the events of each resource then begin with its present state, and no list is needed
([how](decisions/earlier-events.md#decision-snapshots)).

An event that a backfill sent has \`backfill: true\`, and a number of its own. Newer events of its resource may have arrived before. It is
no change of the present state unless its \`version\` is higher ([how](decisions/earlier-events.md)).

Order is (\`epoch\`, \`sequence\`). The epoch increases when the database was restored or failed over. Every
destination then receives [\`${epochStartedEvent.type}\`](#${anchorOf(epochStartedEvent.type)}), subscribed or not. An event gets
its number for a destination when it is taken into a batch, before the call. A redelivery keeps the number.

\`integrity\` says where the log of the destination proves the event: nothing of it was altered, and no other event has its number
([how](decisions/proof.md)).

${markdownTable(['Resource', 'Event types'], rows)}

Below are the other types, and an example for each action. The examples follow from the JSON Schema.

## ${checkpointEvent.type}

${checkpointEvent.description}

${exampleBlock(checkpointEvent.type)}

## ${erasureEvent.type}

${erasureEvent.description}

${exampleBlock(erasureEvent.type)}

## ${epochStartedEvent.type}

${epochStartedEvent.description}

A reader that keeps the state of resources discards what the undone events described: it reads the lists of the API again, because
versions that undone events had are used again. [operations.md](operations.md#restore) has the steps.

${exampleBlock(epochStartedEvent.type)}

${section(reports)}

${section(entries.filter(({ resource }) => resource === SHOWN))}
`;
}

function section(entries: readonly Pick<DirectEventType, 'type' | 'description'>[]): string {
  return entries
    .map(({ type, description }) => {
      return `## ${type}\n\n${description}\n\n${exampleBlock(type)}`;
    })
    .join('\n\n');
}

function exampleBlock(type: string): string {
  // Few events have the mark.
  const withoutMark = (name: string, value: unknown) => (name === 'backfill' ? undefined : value);
  return `\`\`\`json\n${JSON.stringify(exampleOf(eventCatalogue.schemaOf(type)), withoutMark, 2)}\n\`\`\``;
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z0-9_ -]/g, '');
}
