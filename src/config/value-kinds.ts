import { isIP } from 'node:net';
import { z } from 'zod';

/**
 * The kinds of values that settings take. `values` says in a few words what a kind takes, where the schema does not say so by itself:
 * for the table of settings, and for whoever gave something else.
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

/** A number above 0. */
export const amount = (initial: number, maximum: number) =>
  z.coerce.number().positive().max(maximum).default(initial);

/** Text without a shape. */
export const text = (values: string) => z.string().meta({ values });

/** Text of a shape that `values` tells. */
export const shaped = (pattern: RegExp, values: string) => z.string().regex(pattern).meta({ values });

/** What is shown to prove something: long enough not to be guessed. */
export const token = (least: number) =>
  shaped(new RegExp(String.raw`^[\x21-\x7e]{${least},200}$`), `${least} to 200 printable ASCII characters`);

/** The address of a web server. */
export const httpUrl = (example: string) =>
  z
    .url({ protocol: /^https?$/ })
    .refine((value) => /^https?:\/\//i.test(value))
    .meta({ values: `a URL such as \`${example}\`` });

/** What helps whoever gave a store's address that is none. */
const ADVICE = 'In its password, write "/" as %2F, "#" as %23, "?" as %3F, "@" as %40 and "%" as %25.';

/** The address of a Postgres. Without a host it names a socket among its parameters. */
export const postgresUrl = z
  .string()
  // As the driver does: a user and no host is usual for a socket.
  .refine((value) => addressOf(value.replace('@/', '@socket/'), ['postgres', 'postgresql']) !== null)
  .meta({ values: 'a URL such as `postgres://user:password@localhost:5432/waybill`', advice: ADVICE });

/** The address of a Redis, whose path is the number of a database. */
export const redisUrl = z
  .string()
  .refine((value) => {
    const address = addressOf(value, ['redis', 'rediss']);
    return address !== null && address.host !== '' && /^\/?\d*$/.test(address.pathname);
  })
  .meta({ values: 'a URL such as `redis://localhost:6379`, `rediss://…` for TLS', advice: ADVICE });

/** The address, or null where it has another scheme, or something in it that its client would not read as it is meant. */
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

/** A name with a dot in it at least. */
export const hostNamePattern =
  /^(?=.{1,200}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Some of what `member` takes, with commas between them. */
export const listOf = <Member extends z.ZodType<unknown, string>>(member: Member, values: string) =>
  z
    .string()
    .transform((value) => value.split(',').map((item) => item.trim()))
    .pipe(z.array(member).min(1))
    .meta({ values: `${values}, comma-separated` });

/** Names in DNS. */
export const hostNames = listOf(z.string().regex(hostNamePattern), 'host names in lower case');

/** Servers that are asked over DNS, as Node's resolver takes them. */
export const dnsServers = listOf(
  z.string().refine((server) => {
    const [, address = server, port] =
      /^\[(.+)\](?::(\d+))?$/.exec(server) ?? /^([^:]+):(\d+)$/.exec(server) ?? [];
    return isIP(address) !== 0 && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535));
  }),
  'IP addresses with optional ports',
);

/** `name=value`, comma-separated. */
export const pairs = z
  .string()
  .refine((value) => value.split(',').every((pair) => pair.trim() === '' || /^[^=]+=/.test(pair.trim())))
  .meta({ values: '`name=value`, comma-separated' });
