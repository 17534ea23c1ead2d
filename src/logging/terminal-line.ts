/** A log line as pino writes it, parsed. */
type LogLine = Readonly<Record<string, unknown>>;

/** Text in the style of a part of a line: with colours, or unchanged. */
export type Style = (part: 'faint' | 'good' | 'warning' | 'bad' | 'strong', text: string) => string;

/** https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters */
const codes = { faint: [2, 22], good: [32, 39], warning: [33, 39], bad: [31, 39], strong: [1, 22] } as const;

/** Styles text with the codes of a terminal. */
export const coloured: Style = (part, text) => `\u001b[${codes[part][0]}m${text}\u001b[${codes[part][1]}m`;
/** Leaves text as it is. */
export const plain: Style = (_part, text) => text;

/** Members that are the same in every line, and those that have a place of their own. */
const placed = new Set(['level', 'time', 'service', 'pid', 'instance', 'msg', 'err']);

const levels = [
  { from: 60, name: 'FATAL', part: 'bad' },
  { from: 50, name: 'ERROR', part: 'bad' },
  { from: 40, name: 'WARN ', part: 'warning' },
  { from: 30, name: 'INFO ', part: 'good' },
  { from: 20, name: 'DEBUG', part: 'faint' },
  { from: 0, name: 'TRACE', part: 'faint' },
] as const;

/** From this level on, the stack of an error is shown. */
const STACK_FROM = 50;

/** Errors whose message says what to do: their stack is not shown. */
const withoutStack: readonly unknown[] = ['SettingError', 'EmbeddedPostgresError'];

/** Longest value of a field, in characters. */
const LONGEST_VALUE = 160;

/** Characters that control a terminal, or the direction of text. Clients choose some of the values in the log. */
const CONTROL = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns a line of the log for a terminal: local time, level, message and fields; below it, the stack of an error.
 * Null and identical fields are left out, long values are cut. Text that is no JSON is returned as it is, without
 * control characters.
 */
export function terminalLine(json: string, style: Style): string {
  const line = parsed(json);
  if (line === null) return `${block(json.trimEnd())}\n`;
  const level = levels.find(({ from }) => Number(line['level']) >= from) ?? levels[3];
  const error = shownError(line['err'], level.from);
  const fields = Object.entries(line)
    .filter(([name, value]) => !placed.has(name) && value !== null)
    .map(([name, value]) => `${style('faint', `${escaped(name)}=`)}${escaped(shownValue(value))}`);
  const message = [line['msg'], error.message].filter((part) => typeof part === 'string' && part !== '').join(': ');
  const parts = [
    style('faint', localTime(line['time'])),
    style(level.part, level.name),
    style('strong', block(message)),
  ];
  const stack = error.stack === '' ? '' : `${style('faint', block(`\n${error.stack}`).slice(1))}\n`;
  return `${[...parts, ...fields].join(' ')}\n${stack}`;
}

/** Returns text of several lines, the lines after the first indented. */
function block(text: string): string {
  return text.split('\n').map(escaped).join('\n    ');
}

function parsed(json: string): LogLine | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

function localTime(time: unknown): string {
  const date = new Date(String(time));
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => digits(part, 2)).join(':');
  return `${clock}.${digits(date.getMilliseconds(), 3)}`;
}

/** Returns the message of a logged error, and its stack where that helps; empty texts without an error. */
function shownError(error: unknown, level: number): { readonly message: string; readonly stack: string } {
  if (typeof error !== 'object' || error === null) return { message: '', stack: '' };
  const { type, message, stack, errors }: LogLine = { ...error };
  const own = typeof message === 'string' ? message : '';
  const parts = Array.isArray(errors) ? errors.map((part) => shownError(part, 0).message) : [];
  return {
    message: own === '' ? parts.join('; ') : own,
    stack: level >= STACK_FROM && !withoutStack.includes(type) && typeof stack === 'string' ? stack : '',
  };
}

function shownValue(value: unknown): string {
  const text = textOf(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, member]) => `${name}=${textOf(member)}`)
      .join(' ')}}`;
  // Quotes where a value would run into the next field.
  if (typeof value === 'string') return value === '' || /[\s"=]/.test(value) ? JSON.stringify(value) : value;
  return String(value);
}

function escaped(text: string): string {
  return text.replaceAll(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
