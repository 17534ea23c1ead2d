import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../tools/harness/until.js';
import type { JsonObject } from '../../support/api-client.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';
import { pressByKey, tabTo } from './keyboard.js';

const STREAM = 'arn:aws:kinesis:eu-central-1:123456789012:stream/orders';
const ROLE = 'arn:aws:iam::123456789012:role/waybill-events';
const TYPE = 'ip_policy_created.v0';

describe.skipIf(chromium === null)('the steps that create a destination', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const { admin } = site.events.api;
    await admin.create('/ip_policies', { description: 'to be sent' });
    await admin.create('/ip_policies', { description: 'not to be sent' });
  });
  afterAll(() => site.close());

  const step = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^\\d ${name}$`) });

  async function missingOf(page: Page, name: string): Promise<readonly string[]> {
    return step(page, name)
      .getByRole('list', { name: `Missing in ${name}` })
      .getByRole('listitem')
      .allTextContents();
  }

  /** Fills in the target and the role, and creates the destination. Returns its id. */
  async function create(page: Page, stream: string): Promise<string> {
    await page.getByLabel('ARN of the data stream', { exact: true }).fill(stream);
    await page.getByLabel('ARN of the role', { exact: true }).fill(ROLE);
    await page.getByRole('button', { name: 'Create the destination' }).click();
    await page.waitForURL(/\?id=ed_/);
    return new URL(page.url()).searchParams.get('id') ?? '';
  }

  async function targetOf(id: string): Promise<JsonObject> {
    return (await site.events.api.admin.get(`/event_destinations/${id}`)).body.target as JsonObject;
  }

  test('each step says what is missing', async () => {
    const page = await site.page({ path: '/destinations/new' });
    await step(page, 'Target').waitFor();
    expect(await missingOf(page, 'Target')).toEqual(['ARN of the data stream: not filled in yet']);
    expect(await missingOf(page, 'Credentials')).toEqual(['ARN of the role: not filled in yet']);
    expect(await missingOf(page, 'Event types')).toEqual(['No event type is chosen.']);
    expect(await missingOf(page, 'Test')).toEqual(['The destination is not created (step 2).']);
    expect(await missingOf(page, 'Subscription')).toHaveLength(2);
    expect(await page.getByRole('button', { name: 'Create the destination' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Create the subscription' }).isDisabled()).toBe(true);

    await page.getByLabel('ARN of the data stream', { exact: true }).fill('orders');
    expect(await missingOf(page, 'Target')).toEqual(['ARN of the data stream: not valid']);
    await page.getByText('It needs the form of this example: arn:aws:kinesis').waitFor();
    await page.getByLabel('Description', { exact: true }).fill('a'.repeat(256));
    expect((await missingOf(page, 'Target'))[0]).toBe('Description: too long');
    await page.getByText('It is 256 bytes long.').waitFor();
    await page.getByLabel('Description', { exact: true }).fill('Audit');
    await page.getByRole('radio', { name: 'Datadog Logs' }).check();
    expect(await missingOf(page, 'Target')).toEqual([]);
    expect(await missingOf(page, 'Credentials')).toEqual(['Datadog API key: not filled in yet']);
  });

  test('a destination is created, trusted, tested and subscribed, and receives what its filter lets through', async () => {
    const { events } = site;
    const page = await site.page();
    await page.getByRole('link', { name: 'Create the first destination' }).click();
    const id = await create(page, STREAM);

    expect(await missingOf(page, 'Credentials')).toHaveLength(1);
    const stream = (await targetOf(id)).data_stream as { auth: { role: { external_id: string } } };
    const externalId = stream.auth.role.external_id;
    await step(page, 'Credentials').getByText(externalId).first().waitFor();
    await page
      .getByLabel('Principal that Waybill runs as', { exact: true })
      .fill('arn:aws:iam::210987654321:role/waybill');
    const policy = page.getByRole('region', { name: 'Trust policy of the role', exact: true });
    expect(JSON.parse((await policy.textContent()) ?? '')).toMatchObject({
      Statement: [
        {
          Principal: { AWS: 'arn:aws:iam::210987654321:role/waybill' },
          Condition: { StringEquals: { 'sts:ExternalId': externalId } },
        },
      ],
    });

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: Trust policy of the role' }).click();
    await step(page, 'Credentials').getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await policy.textContent());

    await page.getByLabel('Find event types').fill('ip policy created');
    await page.getByRole('checkbox', { name: TYPE }).check();
    await page.getByRole('button', { name: 'Add a filter' }).click();
    const filter = page.getByLabel(`Filter of ${TYPE}`, { exact: true });
    await page.getByLabel(`Add a condition for ${TYPE}`).selectOption('object.description == "…"');
    expect(await filter.inputValue()).toBe('object.description == "…"');
    await filter.fill('object.description ==');
    expect((await missingOf(page, 'Event types'))[0]).toContain('is not checked');
    await page.getByRole('button', { name: `Preview ${TYPE}` }).click();
    await page.getByText('The filter is not accepted').waitFor();
    await filter.fill('object.description == "nothing"');
    await page.getByRole('button', { name: `Preview ${TYPE}` }).click();
    await page.getByText('None of the newest 2 events matches, so none of them would be sent.').waitFor();
    await filter.fill('object.description == "to be sent"');
    await page.getByRole('button', { name: `Preview ${TYPE}` }).click();
    await page.getByText('1 of the newest 2 events match.').waitFor();
    await step(page, 'Event types').getByText('Done', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Send a test event' }).click();
    await step(page, 'Test').getByText('Done', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the subscription' }).click();
    await step(page, 'Subscription').getByText('Done', { exact: true }).waitFor();

    await events.api.admin.create('/ip_policies', { description: 'not to be sent' });
    await events.api.admin.create('/ip_policies', { description: 'to be sent' });
    await page.getByRole('link', { name: 'Open the destination' }).click();
    await page.getByRole('heading', { level: 1, name: id }).waitFor();
    const arrived = () => events.arrivals(STREAM).map((body) => JSON.parse(body) as JsonObject);
    await until(() => arrived().length === 2, 'the test and one event arrived');
    expect(arrived().map(({ event_type: type }) => type)).toEqual(['event_destination_test.v0', TYPE]);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('a test that fails says why, and the page continues after a reload', async () => {
    const stream = 'arn:aws:kinesis:eu-central-1:123456789012:stream/refused';
    const repair = site.events.sandbox.script({ kind: 'deny', address: stream });
    const page = await site.page({ path: '/destinations/new' });
    await create(page, stream);
    await page.reload();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await step(page, 'Test').getByText('Refused: misconfigured').first().waitFor();
    expect(await missingOf(page, 'Test')).toEqual(['The last test was not delivered.']);
    await step(page, 'Test').getByRole('button', { name: 'Repair the configuration' }).waitFor();
    await page.getByText('What the target responded').click();
    await step(page, 'Test').getByText('AccessDeniedException').first().waitFor();
    repair();
    await page.getByRole('button', { name: 'Test again' }).click();
    await step(page, 'Test').getByText('Done', { exact: true }).waitFor();
  });

  test('an ARN of another service leads to that service', async () => {
    const arn = 'arn:aws:firehose:eu-central-1:123456789012:deliverystream/orders';
    const page = await site.page({ path: '/destinations/new' });
    await page.getByLabel('ARN of the data stream', { exact: true }).fill(arn);
    await page.getByText('The value is one for Amazon Data Firehose.').waitFor();
    await page.getByRole('button', { name: 'Choose Amazon Data Firehose' }).click();
    expect(await page.getByLabel('ARN of the delivery stream', { exact: true }).inputValue()).toBe(arn);
    expect(await missingOf(page, 'Target')).toEqual([]);
  });

  test('a reload keeps the input without its secret, and a visit to the settings the types and the verdict', async () => {
    const stream = 'arn:aws:kinesis:eu-central-1:123456789012:stream/kept';
    const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
    const page = await site.page({ path: '/destinations/new' });
    await page.getByLabel('ARN of the data stream', { exact: true }).fill(stream);
    await page.getByRole('radio', { name: 'A long-term access key' }).check();
    await page.getByLabel('Access key id', { exact: true }).fill('AKIAIOSFODNN7EXAMPLE');
    await page.getByLabel('Secret access key', { exact: true }).fill(secret);
    await page.getByRole('checkbox', { name: TYPE }).check();
    expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toContain(secret);
    await page.reload();
    expect(await page.getByLabel('ARN of the data stream', { exact: true }).inputValue()).toBe(stream);
    expect(await page.getByLabel('Secret access key', { exact: true }).inputValue()).toBe('');
    await page.getByText('no secret and no text that could be one').waitFor();

    // Its form is one that secrets have too.
    await page.getByLabel('Access key id', { exact: true }).fill('AKIAIOSFODNN7EXAMPLE');
    await page.getByLabel('Secret access key', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Create the destination' }).click();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await step(page, 'Test').getByText('Done', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Change its settings' }).click();
    await page.getByRole('button', { name: 'Save the destination' }).waitFor();
    await page.goBack();
    await step(page, 'Test').getByText('Done', { exact: true }).waitFor();
    expect(await page.getByRole('checkbox', { name: TYPE }).isChecked()).toBe(true);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('the tab keeps no input after the sign-out, nor after the subscription is created', async () => {
    const page = await site.page({ path: '/destinations/new' });
    const kept = async () => page.evaluate("Object.keys(sessionStorage).filter((key) => key.includes('kept'))");
    await page.getByLabel('Description').fill('Until it is created');
    await create(page, 'arn:aws:kinesis:eu-central-1:123456789012:stream/forgotten');
    await page.getByRole('checkbox', { name: TYPE }).check();
    // The types and their filters are kept until the subscription has them.
    expect(await kept()).toHaveLength(1);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Until it is created');
    await page.getByRole('button', { name: 'Create the subscription' }).click();
    await page.getByRole('link', { name: 'Open the destination' }).waitFor();
    expect(await kept()).toEqual([]);

    await page.goto(`${site.url}/destinations/new`);
    await page.getByLabel('Description').fill('Not for the next person');
    expect(await kept()).toHaveLength(1);
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await kept()).toEqual([]);
  });

  test('all types are chosen by one button, a group by one box, and the arrow keys move within a group', async () => {
    const page = await site.page({ path: '/destinations/new' });
    const all = page.getByRole('checkbox', { name: 'All of IP policy', exact: true });
    const count = async () => page.getByRole('checkbox', { name: /\.v0$/, checked: true }).count();
    await all.check();
    expect(await count()).toBe(await page.getByRole('checkbox', { name: /^ip_policy_[a-z]+\.v0$/ }).count());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    expect(await all.isChecked()).toBe(false);
    expect(await all.and(page.locator(':indeterminate')).count()).toBe(1);
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate("document.activeElement?.closest('fieldset')?.querySelector('legend')?.textContent"),
    ).toBe('IP policy rule');
    await page.getByRole('button', { name: 'All types' }).click();
    expect(await count()).toBe(await page.getByRole('checkbox', { name: /\.v0$/ }).count());
    expect(await page.getByLabel(/^Filter of/).count()).toBe(0);
    await page.getByRole('button', { name: 'No types' }).click();
    expect(await count()).toBe(0);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('an auditor is told that the role cannot create one', async () => {
    const page = await site.page({ role: 'auditor', path: '/destinations/new' });
    await page.getByText('Your role cannot create a destination').waitFor();
    expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0);
  });

  test('every step is done by keyboard alone, from the palette on', async () => {
    const page = await site.page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const type = async (label: string, text: string): Promise<void> => {
      await tabTo(page, page.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    };
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).waitFor();
    await page.keyboard.type('create a dest');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('radio', { name: 'Kinesis Data Streams' }));
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'Amazon Data Firehose' }).isChecked()).toBe(true);
    expect(await missingOf(page, 'Target')).toEqual(['ARN of the delivery stream: not filled in yet']);
    await page.keyboard.press('ArrowUp');
    await type('ARN of the data stream', 'arn:aws:kinesis:eu-central-1:123456789012:stream/by-key');
    await type('ARN of the role', ROLE);
    await pressByKey(page, page.getByRole('button', { name: 'Create the destination' }));
    await page.waitForURL(/\?id=ed_/);
    await type('Principal that Waybill runs as', 'arn:aws:iam::210987654321:role/waybill');
    await pressByKey(page, page.getByRole('button', { name: 'Copy: Trust policy of the role' }));
    await step(page, 'Credentials').getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(JSON.parse(copied)).toMatchObject({ Statement: [{ Effect: 'Allow' }] });

    await type('Find event types', 'ip policy created');
    await tabTo(page, page.getByRole('checkbox', { name: TYPE }));
    await page.keyboard.press('Space');
    await pressByKey(page, page.getByRole('button', { name: 'Add a filter' }));
    await page.getByLabel(`Filter of ${TYPE}`, { exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('object.description == "by key"');
    await pressByKey(page, page.getByRole('button', { name: `Preview ${TYPE}` }));
    await page.getByText(/None of the newest \d+ events matches/).waitFor();
    await pressByKey(page, page.getByRole('button', { name: 'Send a test event' }));
    await step(page, 'Test').getByText('Done', { exact: true }).waitFor();
    await pressByKey(page, page.getByRole('button', { name: 'Create the subscription' }));
    await step(page, 'Subscription').getByText('Done', { exact: true }).waitFor();
    await pressByKey(page, page.getByRole('link', { name: 'Open the destination' }));
    await page.getByRole('heading', { level: 1, name: /^ed_/ }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });
});
