import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { boundedBytes } from '../../../bounds/bounded.js';

/** Longest selector in bytes: with edge and match type, it fits into an entry of the unique index. */
const MAX_BYTES = 2048;

/** A path, or a host with an optional port and path. Routes do not match query or fragment. */
const form = /^(?:\/|(?:\*\.)?[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?(?::\d{1,5})?(?:\/|$))[^\s?#\p{Cc}]*$/u;

/** Returns a match with its host in lower case, and in ASCII (IDNA, UTS #46). Hosts of requests have one spelling. */
function withPlainHost(value: string): string {
  return value.replace(/^[^/:]+/, (host) => (/[^ -~]/.test(host) && domainToASCII(host)) || host.toLowerCase());
}

/** How `match` is compared. */
export const matchType = z.enum(['exact_path', 'path_prefix']).meta({
  description: 'Whether `match` is compared with the whole path or with its beginning.',
});

/** The requests that a route matches. */
export const match = boundedBytes(MAX_BYTES)
  .min(1)
  .refine((value) => value === '' || form.test(value), {
    error: 'must be a path that begins with /, a host, or a host and a path, without white space, ? and #',
  })
  .overwrite(withPlainHost)
  .refine((value) => /^[ -~]*$/.test(value.split(/[/:]/, 1)[0] ?? ''), {
    error: 'must have a host that can be written in ASCII',
  })
  .refine((value) => Buffer.byteLength(value) <= MAX_BYTES, {
    error: `must not be longer than ${MAX_BYTES} bytes with its host in ASCII`,
  })
  .meta({
    description:
      'Requests that the route matches: a path, a host, or a host and a path. The host is stored in lower-case ASCII. ' +
      'At most 2048 bytes of UTF-8. Unique within the edge for each match_type.',
    example: '/api/',
  });
