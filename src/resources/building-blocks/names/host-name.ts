import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { HOST_NAME, WILDCARD } from './name-patterns.js';

/** RFC 1035 section 2.3.4, in text form, without the length bytes. */
const MAX_NAME = 253;
const MAX_LABEL = 63;
/** Longest text that is converted to ASCII. The conversion drops some characters. */
const LONGEST_TEXT = 512;

const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** A host name in lower-case ASCII (IDNA, UTS #46), or what is wrong with the text. */
type HostName = { readonly name: string } | { readonly fault: string };

/**
 * Reads the name of a host on the internet: two labels or more, no IP address.
 * @param wildcards whether the first label may be `*`
 */
export function parseHostName(text: string, { wildcards }: { readonly wildcards: boolean }): HostName {
  const wildcard = text.startsWith('*.');
  if (wildcard && !wildcards) return { fault: 'must not be a wildcard' };
  const rest = wildcard ? text.slice(2) : text;
  if (rest.includes('*')) return { fault: 'may have a wildcard only as its first label: *.example.com' };
  // `domainToASCII` parses its input as a part of a URL: no character with a meaning there may reach it.
  const ascii = /[^a-z0-9.\u0080-\u{10ffff}-]/iu.test(rest) ? '' : domainToASCII(rest);
  const labels = ascii.split('.');
  if (isIP(ascii) !== 0) return { fault: 'must be a host name, not an address' };
  if (labels.some((part) => part.length > MAX_LABEL)) {
    return { fault: `has a label that is longer than ${MAX_LABEL} characters` };
  }
  if (labels.length < 2 || !labels.every((part) => label.test(part))) {
    return { fault: 'must be a host name such as app.example.com' };
  }
  const name = wildcard ? `*.${ascii}` : ascii;
  return name.length > MAX_NAME ? { fault: `must not be longer than ${MAX_NAME} characters` } : { name };
}

/** A host name in a request; its output is in lower-case ASCII. */
export function hostName(options: { readonly wildcards: boolean }) {
  return boundedString(LONGEST_TEXT)
    .transform((text, context) => {
      const parsed = parseHostName(text, options);
      if ('name' in parsed) return parsed.name;
      context.addIssue({ code: 'custom', message: parsed.fault });
      return z.NEVER;
    })
    .meta({ pattern: `^${options.wildcards ? WILDCARD : ''}${HOST_NAME}$`, maxLength: MAX_NAME });
}
