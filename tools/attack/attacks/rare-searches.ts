import type { Attack } from '../attack.js';

const AT_ONCE = 100;

/** Searches that read much and find nothing. */
export const rareSearches: Attack = {
  name: 'rare-searches',
  title: `${AT_ONCE} searches at once that read thousands of events and find none`,
  async run(environment) {
    const { admin } = await environment.account();
    await environment.publishMany(admin, 'many', environment.pick(20_000, 4_000), { text: 'x' });
    const auditor = await environment.key(admin, 'auditor');
    const range = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    const searches = [
      `/events?limit=100&${range}&changed=nothing`,
      `/events?limit=100&${range}&principal_id=nobody&type=many_updated.v0`,
      `/events?limit=100&${range}&credential_id=ak_00000000000000000000000000`,
      `/events/export?${range}&principal_id=nobody`,
    ];
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => auditor.send('GET', searches[index % searches.length] ?? '')),
    );
  },
};
