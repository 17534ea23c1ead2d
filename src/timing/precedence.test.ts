import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Precedence } from './precedence.js';

let now: number;
let precedence: Precedence;

beforeEach(() => {
  now = 10_000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  precedence = new Precedence(() => now);
});
afterEach(() => void vi.useRealTimers());

/** A call that takes some milliseconds. */
function call(name: string, ms: number): void {
  precedence.begin(name);
  now += ms;
  precedence.end(name);
}

describe('precedence', () => {
  it('makes a name with much use wait while a call of a name with little use is in progress', () => {
    call('quiet', 5);
    call('busy', 500);
    expect(precedence.mustWait('busy')).toBe(false);
    precedence.begin('quiet');
    precedence.begin('busy');
    expect(precedence.mustWait('busy')).toBe(true);
    expect(precedence.mustWait('quiet')).toBe(false);
    precedence.end('quiet');
    expect(precedence.mustWait('busy')).toBe(false);
  });

  it('counts calls that have not ended', () => {
    precedence.begin('busy');
    now += 500;
    precedence.begin('busy');
    precedence.begin('quiet');
    expect(precedence.mustWait('busy')).toBe(true);
  });

  it('makes names with similar use wait for none', () => {
    call('one', 100);
    call('two', 300);
    precedence.begin('one');
    precedence.begin('two');
    expect(precedence.mustWait('one')).toBe(false);
    expect(precedence.mustWait('two')).toBe(false);
  });

  it('forgets use as time passes', () => {
    call('busy', 500);
    now += 20_000;
    call('quiet', 5);
    precedence.begin('quiet');
    precedence.begin('busy');
    expect(precedence.mustWait('busy')).toBe(false);
  });

  it('lets a name begin a call each 10 ms, whatever the others do', () => {
    call('busy', 500);
    precedence.begin('busy');
    precedence.begin('quiet');
    now += 9;
    expect(precedence.mustWait('busy')).toBe(true);
    now += 1;
    expect(precedence.mustWait('busy')).toBe(false);
    precedence.begin('busy');
    expect(precedence.mustWait('busy')).toBe(true);
  });

  it.each([
    ['the call with little use has ended', () => precedence.end('quiet')],
    ['10 ms have passed', () => vi.advanceTimersByTime(10)],
  ])('says when a name may try again: %s', (_, happens) => {
    const advance = vi.fn<() => void>();
    precedence.onFree(advance);
    call('busy', 500);
    precedence.begin('busy');
    precedence.begin('quiet');
    precedence.mustWait('busy');
    expect(advance).not.toHaveBeenCalled();
    happens();
    expect(advance).toHaveBeenCalledOnce();
  });
});
