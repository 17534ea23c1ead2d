import type { Attack } from './attack.js';
import { costlySchemas } from './attacks/costly-schemas.js';
import { foreignIds } from './attacks/foreign-ids.js';
import { formulasInCsv } from './attacks/formulas.js';
import { generatedRequests } from './attacks/generated-requests.js';
import { guesses } from './attacks/guesses.js';
import { largeBodies } from './attacks/large-bodies.js';
import { largeEdges } from './attacks/large-edges.js';
import { largePages } from './attacks/large-pages.js';
import { largeSchemas } from './attacks/large-schemas.js';
import { manyForms } from './attacks/many-forms.js';
import { pipelinedReads } from './attacks/pipelined-reads.js';
import { previews } from './attacks/previews.js';
import { rareSearches } from './attacks/rare-searches.js';
import { redaction } from './attacks/redaction.js';
import { reservedPrincipals } from './attacks/reserved-principals.js';
import { smuggling } from './attacks/smuggling.js';
import { unreadResponses } from './attacks/unread-responses.js';
import { wideBatches } from './attacks/wide-batches.js';

/** Every attack, in the order in which they run. The service is started again between those with other settings. */
export const attacks: readonly Attack[] = [
  largePages,
  largeBodies,
  wideBatches,
  manyForms,
  largeEdges,
  pipelinedReads,
  unreadResponses,
  largeSchemas,
  costlySchemas,
  previews,
  rareSearches,
  redaction,
  reservedPrincipals,
  formulasInCsv,
  smuggling,
  foreignIds,
  guesses,
  generatedRequests,
];
