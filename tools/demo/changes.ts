import type { ApiResponse, ApiClient } from '../harness/api-client.js';
import { changeEveryFamily, FAMILY_CHANGES } from './family-changes.js';

/** Called for each change after its response. */
export type OnChange = (operationId: string) => void;

/** Each policy makes 13 changes. */
const POLICIES = 40;
/** Policies that are changed concurrently. */
const CONCURRENCY = 4;

/** Number of changes of `makeChanges`. */
export const PLANNED_CHANGES = POLICIES * 13 + 14 + FAMILY_CHANGES;

/**
 * Makes several hundred changes across the families, some concurrently, like the automation of a team.
 * @param admin creates the API keys of the bot users, which requires an admin
 */
export async function makeChanges(
  api: ApiClient,
  admin: ApiClient,
  subscriptionId: string,
  onChange: OnChange,
): Promise<void> {
  const done = (response: ApiResponse) => onChange(response.operationId);
  let next = 0;
  const worker = async () => {
    while (next < POLICIES) {
      next += 1;
      await policyLife(api, next, done);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  await botLife(admin, done);
  await sourceLife(api, subscriptionId, done);
  await changeEveryFamily(api, done);
}

async function policyLife(api: ApiClient, number: number, done: (response: ApiResponse) => void): Promise<void> {
  const policy = await api.create('/ip_policies', {
    description: `office ${number} 🏢`,
    metadata: JSON.stringify({ number }),
  });
  done(policy.response);
  const rules: string[] = [];
  for (const third of [1, 2, 3]) {
    const rule = await api.create('/ip_policy_rules', {
      ip_policy_id: policy.id,
      cidr: `10.${number}.${third}.0/24`,
      action: third === 3 ? 'deny' : 'allow',
    });
    done(rule.response);
    rules.push(rule.id);
  }
  for (const rule of rules)
    done(await api.send('PATCH', `/ip_policy_rules/${rule}`, { cidr: `2001:db8:${number}::/48` }));
  done(await api.send('PATCH', `/ip_policies/${policy.id}`, { description: `office ${number}, moved` }));
  done(await api.send('PATCH', `/ip_policies/${policy.id}`, { metadata: null }));
  for (const rule of rules) done(await api.send('DELETE', `/ip_policy_rules/${rule}`));
  done(await api.send('DELETE', `/ip_policies/${policy.id}`));
}

async function botLife(api: ApiClient, done: (response: ApiResponse) => void): Promise<void> {
  for (const name of ['deploys', 'backups']) {
    const bot = await api.create('/bot_users', { name });
    done(bot.response);
    const key = await api.create('/api_keys', { owner_id: bot.id, description: `key of ${name}` });
    done(key.response);
    done(await api.send('PATCH', `/api_keys/${key.id}`, { metadata: '{"rotate":"yearly"}' }));
    done(await api.send('PATCH', `/bot_users/${bot.id}`, { active: false }));
    done(await api.send('DELETE', `/api_keys/${key.id}`));
    done(await api.send('DELETE', `/bot_users/${bot.id}`));
  }
}

async function sourceLife(
  api: ApiClient,
  subscriptionId: string,
  done: (response: ApiResponse) => void,
): Promise<void> {
  const sources = `/event_subscriptions/${subscriptionId}/sources`;
  done(await api.send('DELETE', `${sources}/event_destination_deleted.v0`));
  done(await api.send('POST', sources, { type: 'event_destination_deleted.v0' }));
}
