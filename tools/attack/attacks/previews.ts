import type { Attack } from '../attack.js';

/** The longest lists that an event holds. */
const ITEMS = 6_000;
const AT_ONCE = 10;

/** Filters near the limit of cost, over the newest events. */
const filters = [
  'dyn(object).list.exists(one, dyn(object).list.all(other, other != one))',
  'dyn(object).list.all(one, one.contains("x") || one.contains("i"))',
  'dyn(object).text.matches("^(?:a|b|c)*d$")',
  'dyn(object).list.filter(one, one != "a").size() == 1',
];

/** Previews of expensive sources. */
export const previews: Attack = {
  name: 'previews',
  title: `${AT_ONCE} previews at once, each of a costly filter over 100 of the largest events`,
  async run(environment) {
    const { admin } = await environment.account();
    const list = Array.from({ length: ITEMS }, (_, index) => `item${index % 7}`);
    await environment.publishMany(admin, 'listed', 100, { list, text: 'abc'.repeat(1_300) });
    const auditor = await environment.key(admin, 'auditor');
    for (const filter of environment.options.short ? filters.slice(0, 2) : filters) {
      const body = { type: 'listed_updated.v0', filter, fields: { hash: ['/object/text'] }, limit: 100 };
      const path = '/event_subscriptions/preview';
      await Promise.all(Array.from({ length: AT_ONCE }, () => auditor.send('POST', path, body, { discard: true })));
    }
  },
};
