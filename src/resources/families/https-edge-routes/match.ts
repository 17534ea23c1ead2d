import { z } from 'zod';
import { bytes } from '../../../http/text.js';

/** Longest selector in bytes: with the edge and the match type it fits into an entry of the index that keeps it unique. */
const MAX_BYTES = 2048;

/** A path, or a host with an optional port and path. Query and fragment are no part of what routes match. */
const form =
  /^(?:\/|(?:\*\.)?[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?(?::\d{1,5})?(?:\/|$))[^\s?#\p{Cc}]*$/u;

/** How `match` is compared. */
export const matchType = z.enum(['exact_path', 'path_prefix']).meta({
  description: 'Whether the whole path has to be the one in `match`, or only begin with it.',
});

/** Which requests a route is for. */
export const match = bytes(MAX_BYTES)
  .min(1)
  .refine((value) => value === '' || form.test(value), {
    error: 'must be a path that begins with /, a host, or a host and a path, without white space, ? and #',
  })
  .meta({
    description:
      'Which requests the route is for: a path, a host, or a host and a path. At most 2048 bytes of UTF-8; unique within the ' +
      'edge for its match_type.',
    example: '/api/',
  });
