import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { boundedString } from '../bounds/bounded.js';
import { refuseUnstorableText } from '../http/input/json-body.js';
import { parseInput } from '../http/input/validation.js';
import { wholeNumberParameter } from '../http/input/whole-number-parameter.js';

/** Most pages, and most jobs of a page: bull-board computes positions from both, and reads the whole page. */
const MAX_PAGE = 1_000_000;
/** The most that its settings offer. The data of a job may have 1,000 events, which are 100 KB. */
const MAX_JOBS = 50;

/** An optional parameter. An empty one is absent, as for bull-board. */
function integer(max: number) {
  const given = wholeNumberParameter(1, max).optional();
  return z.preprocess((value) => (value === '' ? undefined : value), given).optional();
}

/** bull-board decodes names a second time. */
const queueName = boundedString(255).refine(isDecodable, { error: 'must be percent-encoded text in UTF-8' }).optional();

const boardQuery = z.object({
  page: integer(MAX_PAGE),
  jobsPerPage: integer(MAX_JOBS),
  activeQueue: queueName,
  queueName,
});

/**
 * Refuses input of bull-board's routes that bull-board passes to the queue store unchecked: text that cannot be stored,
 * percent signs that it cannot decode, and positions outside of every list.
 * @throws Problem `invalid_input`
 */
export function checkBoardInput(request: FastifyRequest): void {
  refuseUnstorableText(request);
  parseInput(boardQuery, request.query, 'query');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
