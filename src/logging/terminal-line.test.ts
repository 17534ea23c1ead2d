import { describe, expect, it } from 'vitest';
import { SettingError } from '../config/setting-error.js';
import { createLogger, type Logger } from './logger.js';
import { coloured, plain, terminalLine, type Style } from './terminal-line.js';

/** Returns what a terminal shows of what `log` logs. */
function shown(log: (logger: Logger) => void, style: Style = plain): string {
  let text = '';
  log(createLogger('trace', { write: (line) => void (text += terminalLine(line, style)) }).child({ instance: 'one' }));
  return text;
}

describe('a log line in a terminal', () => {
  it('shows the local time, the level, the message and the fields that differ', () => {
    const line = shown((logger) =>
      logger.info({ url: 'http://127.0.0.1:4700', roles: ['api', 'worker'], took: 1.5, trace: null }, 'ready'),
    );
    expect(line).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} INFO  ready url=http:\/\/127\.0\.0\.1:4700 roles=api,worker took=1\.5\n$/,
    );
  });

  it('quotes what contains spaces, and cuts what is long', () => {
    const settings = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`SETTING_${index}`, index]));
    const line = shown((logger) => logger.info({ name: 'a b', settings }, 'starting'));
    expect(line).toContain('name="a b" settings={SETTING_0=0 SETTING_1=1 ');
    expect(line).toMatch(/…\n$/);
    expect(line.length).toBeLessThan(250);
  });

  it.each([
    ['trace', 'TRACE'],
    ['debug', 'DEBUG'],
    ['info', 'INFO '],
    ['warn', 'WARN '],
    ['error', 'ERROR'],
    ['fatal', 'FATAL'],
  ] as const)('names the level %s', (level, name) => {
    expect(shown((logger) => logger[level]('it happened'))).toContain(` ${name} it happened\n`);
  });

  it('shows the message of an error, and its stack where something failed', () => {
    const err = new Error('no such table');
    expect(shown((logger) => logger.warn({ err }, 'trying again'))).toMatch(/WARN {2}trying again: no such table\n$/);
    const failure = shown((logger) => logger.error({ err }, 'request failed'));
    expect(failure).toMatch(
      /ERROR request failed: no such table\n {4}Error: no such table\n {8}at .*terminal-line\.test/,
    );
  });

  it('shows a setting that cannot be used without a stack', () => {
    const err = new SettingError('PORT is 4700, and another process listens there.');
    const line = shown((logger) => logger.fatal({ err }, 'the start failed'));
    expect(line).toMatch(/FATAL the start failed: PORT is 4700, and another process listens there\.\n$/);
  });

  it('shows the parts of an aggregate error', () => {
    const err = new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')]);
    expect(shown((logger) => logger.warn({ err }, 'down'))).toContain('down: refused by ::1; refused by 127.0.0.1\n');
  });

  it('cannot control the terminal by a value, a name, a message or a stack', () => {
    const bad = '\u001b[2J\u009b31m\u202e\r\u0007';
    const text = shown((logger) => logger.error({ [bad]: bad, err: new Error(bad) }, bad));
    expect(text).toContain('\\u001b[2J\\u009b31m\\u202e\\u000d\\u0007');
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(terminalLine(`no JSON ${bad}`, plain)).not.toContain('\u001b');
  });

  it('shows no secret', () => {
    expect(shown((logger) => logger.info({ token: 'hunter2', of: { password: 'hunter2' } }, 'line'))).toContain(
      'line token=[redacted] of={password=[redacted]}',
    );
  });

  it('has colours where the terminal has them', () => {
    const line = shown((logger) => logger.warn({ a: 1 }, 'slow'), coloured);
    expect(line).toContain('\u001b[33mWARN \u001b[39m \u001b[1mslow\u001b[22m \u001b[2ma=\u001b[22m1');
  });
});
