import { expect, test } from 'vitest';
import { ipPolicy } from '../../families/ip-policies/ip-policy.js';
import { defineFamily } from './family.js';

class Clock {
  readonly now = 7;
}
class Counter {
  count = 0;
}

test('a behaviour is created from the instances of exactly the classes that it injects', () => {
  const definition = ipPolicy;
  const { behaviour } = defineFamily({
    definition,
    behaviour: {
      inject: [Clock, Counter],
      create: (clock, counter) => ({ visibleTo: () => ({ now: clock.now, count: counter.count }) }),
    },
  });
  expect(behaviour?.inject).toEqual([Clock, Counter]);

  const counting = (counter: Counter) => ({ created: () => void (counter.count += 1) });
  // @ts-expect-error `create` takes a class that is not injected.
  defineFamily({ definition, behaviour: { inject: [Clock], create: counting } });
  // @ts-expect-error Nothing is injected.
  defineFamily({ definition, behaviour: { create: counting } });
});
