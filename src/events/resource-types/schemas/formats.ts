import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Longest text that any format accepts. */
export const LONGEST_FORMATTED_TEXT = 2_048;

const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const time = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](\d{2}):(\d{2}))$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const localPart = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/i;

/** The formats of schemas. Each takes linear time. A schema with another format is refused. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: bounded(isDate),
  time: bounded(isTime),
  'date-time': bounded(isDateTime),
  uuid: bounded((text) => uuid.test(text)),
  email: bounded(isEmail),
  hostname: bounded(isHostName),
  ipv4: bounded(isIPv4),
  ipv6: bounded((text) => isIPv6(text) && !text.includes('%')),
  uri: bounded(isUri),
};

function bounded(test: (text: string) => boolean): (text: string) => boolean {
  return (text) => text.length <= LONGEST_FORMATTED_TEXT && test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = (date.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1)
    return false;
  // Date.UTC takes a year below 100 for one of the 20th century.
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

/** A time of RFC 3339 with its offset. A leap second is accepted. */
function isTime(text: string): boolean {
  const match = time.exec(text);
  if (!match) return false;
  const [hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  return hour <= 23 && minute <= 59 && second <= 60 && offsetHour <= 23 && offsetMinute <= 59;
}

function isDateTime(text: string): boolean {
  return text[10] === 'T' && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isHostName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((part) => label.test(part));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (at < 1 || !localPart.test(local) || local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return false;
  return isHostName(text.slice(at + 1)) && isIP(text.slice(at + 1)) === 0;
}

/** An absolute URI in ASCII. */
function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[!#-;=?-Z[\]_a-z~$&'()*+,%@]*$/i.test(text) && URL.canParse(text);
}
