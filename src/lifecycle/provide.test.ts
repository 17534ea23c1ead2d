import { expect, expectTypeOf, test } from 'vitest';
import { provide, tokenOf } from './provide.js';

class Clock {
  readonly now = 7;
}
class Counter {
  count = 0;
}
class Watch {
  constructor(
    readonly clock: Clock,
    readonly counter: Counter,
  ) {}
}
class Alarm {
  constructor(readonly parts: { readonly clock: Clock; readonly limit: number | null }) {}
}

const LIMIT = tokenOf<number | null>('Limit');

test('a class is made from the parts of a list, in its order', () => {
  const { inject, useFactory } = provide(Watch, [Clock, Counter]);
  expect(inject).toEqual([Clock, Counter]);
  const [clock, counter] = [new Clock(), new Counter()];
  expect(useFactory(clock, counter)).toEqual(new Watch(clock, counter));

  // @ts-expect-error The order is wrong.
  provide(Watch, [Counter, Clock]);
  // @ts-expect-error A part is missing.
  provide(Watch, [Clock]);
  // @ts-expect-error A token has no constructor.
  provide(LIMIT, [Clock]);
});

test('a class is made from named parts', () => {
  const { inject, useFactory } = provide(Alarm, { clock: Clock, limit: LIMIT });
  expect(inject).toEqual([Clock, LIMIT]);
  const clock = new Clock();
  expect(useFactory(clock, 3)).toEqual(new Alarm({ clock, limit: 3 }));

  // @ts-expect-error A part has another type.
  provide(Alarm, { clock: Counter, limit: LIMIT });
  // @ts-expect-error A part is missing.
  provide(Alarm, { clock: Clock });
});

test('a function makes a part, and the types of its arguments follow from the keys', async () => {
  const listed = provide(LIMIT, [Clock, LIMIT], (clock, limit) => {
    expectTypeOf(clock).toEqualTypeOf<Clock>();
    expectTypeOf(limit).toEqualTypeOf<number | null>();
    return clock.now + (limit ?? 0);
  });
  expect(listed.useFactory(new Clock(), 3)).toBe(10);
  const named = provide(LIMIT, { clock: Clock }, async ({ clock }) => clock.now);
  expect(await named.useFactory(new Clock())).toBe(7);
  expectTypeOf(named.useFactory).returns.toEqualTypeOf<number | null | Promise<number | null>>();

  // @ts-expect-error It makes another type.
  provide(LIMIT, [], () => 'seven');
  // @ts-expect-error It takes what is not injected.
  provide(LIMIT, [Clock], (clock: Counter) => clock.count);
});
