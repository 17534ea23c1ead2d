import { isIP } from 'node:net';
import { parseCosigner } from '@waybill/verify';
import { z } from 'zod';

/**
 * The types of settings. `values` describes the accepted values where the schema alone does not, for the table of
 * settings and for error messages.
 */

/** `true` or `false`. */
export const flag = (initial: boolean) =>
  z
    .enum(['true', 'false'])
    .default(initial ? 'true' : 'false')
    .transform((value) => value === 'true');

/** A whole number between two bounds. */
export const integer = (initial: number, minimum: number, maximum: number) =>
  z.coerce.number().int().min(minimum).max(maximum).default(initial);

/** A whole number between two bounds, without a default. */
export const optionalInteger = (minimum: number, maximum: number) =>
  z.coerce.number().int().min(minimum).max(maximum).optional();

/** Whole numbers by name. */
export const numbersByName = z
  .string()
  .refine((value) => value.split(',').every((pair) => /^\s*[a-z][a-z_]*=\d{1,8}\s*$/.test(pair)))
  .transform((value) => Object.fromEntries(value.split(',').map((pair) => pair.trim().split('='))))
  .pipe(z.record(z.string(), z.coerce.number()))
  .meta({ values: '`name=number`, comma-separated' });

/** A number above 0. */
export const amount = (initial: number, maximum: number) => z.coerce.number().positive().max(maximum).default(initial);

/** Any text. */
export const text = (values: string) => z.string().meta({ values });

/** Text that matches a pattern; `values` describes the pattern. */
export const shaped = (pattern: RegExp, values: string) => z.string().regex(pattern).meta({ values });

/** A secret token, long enough not to be guessed. */
export const token = (minimumLength: number) =>
  shaped(
    new RegExp(String.raw`^[\x21-\x7e]{${minimumLength},200}$`),
    `${minimumLength} to 200 printable ASCII characters`,
  );

const webAddress = z.url({ protocol: /^https?$/ }).refine((value) => /^https?:\/\//i.test(value));

/** The address of a web server. */
export const httpUrl = (example: string) => webAddress.meta({ values: `a URL such as \`${example}\`` });

/** The address of a web server, to which paths are added. The slashes at its end are removed. */
export const baseUrl = (example: string) =>
  webAddress
    .refine(isBase)
    .transform((url) => url.replace(/\/+$/, ''))
    .meta({ values: `a URL such as \`${example}\`, without user, password, query or fragment` });

/** Whether a path can be added to a URL, and the URL can be shown. */
function isBase(url: string): boolean {
  return hasNoUser(url) && !/[?#]/.test(url);
}

/** Whether a URL has no user and no password. `fetch` refuses one that has, with an error that shows both. */
function hasNoUser(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** A cosigner of the logs. */
export interface CosignerAddress {
  /** Its verifier key. */
  readonly vkey: string;
  /** Without `/add-checkpoint`. */
  readonly url: string;
}

/** Cosigners of the logs. */
export const cosigners = z
  .string()
  .transform((value, context): readonly CosignerAddress[] => {
    const found: CosignerAddress[] = [];
    for (const one of value.split(',')) {
      const [, vkey = '', url = ''] = /^\s*(\S+\+[\w+/]+)=(https?:\/\/\S+?)\/*\s*$/i.exec(one) ?? [];
      try {
        parseCosigner(vkey);
        if (!isBase(url)) throw new Error('The URL is not valid.');
        found.push({ vkey, url: new URL(url).href.replace(/\/+$/, '') });
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message : String(error));
      }
    }
    return found;
  })
  .meta({ values: '`verifier key=URL`, comma-separated; URLs without user, password, query or fragment' });

/** What signs outside of the process: a URL, or a command. */
export const signer = z
  .string()
  .refine((value) => (/^https?:\/\/\S+$/i.test(value) && hasNoUser(value)) || isCommand(value))
  .meta({
    values:
      'a URL without user or password, or a command as a JSON list such as `["/usr/local/bin/sign", "--key", "logs"]`',
  });

/** A public key of Ed25519 in base64: 32 bytes, or its SubjectPublicKeyInfo in DER. */
export const publicKey = z
  .string()
  .refine((value) => /^(MCowBQYDK2VwAyEA)?[A-Za-z0-9+/]{43}=$/.test(value))
  .meta({ values: 'the base64 of 32 bytes, or of the key as SubjectPublicKeyInfo in DER' });

function isCommand(value: string): boolean {
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === 'string' && one !== '');
  } catch {
    return false;
  }
}

/** The hint for an invalid store URL. */
const ADVICE = 'In its password, write "/" as %2F, "#" as %23, "?" as %3F, "@" as %40 and "%" as %25.';

/** The URL of a Postgres. A URL without a host names a socket in its query. */
export const postgresUrl = z
  .string()
  // The driver accepts a user without a host, which is usual for a socket.
  .refine((value) => addressOf(value.replace('@/', '@socket/'), ['postgres', 'postgresql']) !== null)
  .meta({ values: 'a URL such as `postgres://user:password@localhost:5432/waybill`', advice: ADVICE });

/** The URL of a Redis. The path is the number of a database. */
export const redisUrl = z
  .string()
  .refine((value) => {
    const address = addressOf(value, ['redis', 'rediss']);
    return address !== null && address.host !== '' && /^\/?\d*$/.test(address.pathname);
  })
  .meta({ values: 'a URL such as `redis://localhost:6379`, `rediss://…` for TLS', advice: ADVICE });

/** Parses a URL. Returns null for another scheme, and for parts that the client would misread. */
function addressOf(value: string, schemes: readonly string[]): URL | null {
  const [, scheme = ''] = /^([a-z]+):\/\//i.exec(value) ?? [];
  if (!schemes.includes(scheme.toLowerCase()) || !URL.canParse(value)) return null;
  const address = new URL(value);
  if (address.hash !== '') return null;
  try {
    for (const part of [address.username, address.password, address.pathname]) decodeURIComponent(part);
    return address;
  } catch {
    return null;
  }
}

/** An address to listen on. */
export const listenHost = z
  .string()
  .refine((value) => isIP(value) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9._-]{0,252})$/.test(value))
  .meta({ values: 'an IP address or a host name' });

/** A host name with at least one dot. */
export const hostNamePattern =
  /^(?=.{1,200}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** A comma-separated list. */
export const listOf = <Member extends z.ZodType<unknown, string>>(member: Member, values: string) =>
  z
    .string()
    .transform((value) => value.split(',').map((item) => item.trim()))
    .pipe(z.array(member).min(1))
    .meta({ values: `${values}, comma-separated` });

/** DNS names. */
export const hostNames = listOf(z.string().regex(hostNamePattern), 'host names in lower case');

/** DNS servers in the format of Node's resolver. */
export const dnsServers = listOf(
  z.string().refine((server) => {
    const [, address = server, port] = /^\[(.+)\](?::(\d+))?$/.exec(server) ?? /^([^:]+):(\d+)$/.exec(server) ?? [];
    return isIP(address) !== 0 && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535));
  }),
  'IP addresses with optional ports',
);

/** `name=value`, comma-separated. */
export const pairs = z
  .string()
  .refine((value) => value.split(',').every((pair) => pair.trim() === '' || /^[^=]+=/.test(pair.trim())))
  .meta({ values: '`name=value`, comma-separated' });
