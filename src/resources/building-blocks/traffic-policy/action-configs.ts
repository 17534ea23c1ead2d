import { z } from 'zod';
import { headers } from '../edge-modules/headers.js';

/** https://www.iana.org/assignments/http-parameters/http-parameters.xhtml#content-coding */
const algorithms = ['gzip', 'br', 'deflate', 'compress', 'zstd'] as const;

const statusCode = z.int().min(100).max(599);

/**
 * Schemas of the configuration of actions, by action type. Only the data plane knows other types: their configuration
 * may be any object.
 */
export const actionConfigs: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['url-rewrite', z.strictObject({ from: z.string().min(1), to: z.string() })],
  [
    'custom-response',
    z.strictObject({
      status_code: statusCode,
      headers: headers.optional(),
      content: z.string().optional(),
    }),
  ],
  ['deny', z.strictObject({ status_code: statusCode.optional() })],
  ['compress-response', z.strictObject({ algorithms: z.array(z.enum(algorithms)).min(1).optional() })],
]);
