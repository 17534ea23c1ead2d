import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { targetOf } from '../../../src/targets/registry.js';
import type { TargetKind } from '../../../src/targets/target.js';
import type { JsonObject } from '../../support/api-client.js';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { openRecorded, Refusal, targetKinds, type RecordedConsole } from './recorded-console.js';

const STREAM = 'arn:aws:kinesis:eu-central-1:123456789012:stream/orders';
const ROLE = 'arn:aws:iam::123456789012:role/waybill-events';
const GUID = '01234567-89ab-cdef-0123-456789abcdef';

/** Secrets as the vendors make them. The first one has letters and digits only, which is rare. */
const secrets = [
  'wJalrXUtnFEMIaK7MDENGxbPxRfiCYEXAMPLEKEY',
  '0123456789abcdef0123456789abcdef',
  'Abc8Q~0123456789abcdefghijklmnopqrstuvwx',
];

/** A kind that no file of the console names. */
const pigeon = {
  kind: 'pigeon_loft',
  title: 'Pigeon Post',
  description: 'Carries one event on each flight.',
  credentials: ['keeper'],
  permissions: null,
  schema: {
    type: 'object',
    properties: {
      keeper: {
        type: 'object',
        title: 'Who opens the loft',
        properties: {
          key: {
            type: 'object',
            title: 'A key under the mat',
            properties: {
              secret: { type: 'string', title: 'Shape of the key', description: 'Hidden.', writeOnly: true },
            },
            required: ['secret'],
          },
          badge: {
            type: 'object',
            title: 'A badge',
            properties: {
              number: {
                type: 'string',
                title: 'Number of the badge',
                description: 'On its back.',
                pattern: '^B-[0-9]+$',
              },
              pin: { type: 'string', title: 'Pin', description: 'Four digits.', writeOnly: true },
            },
            required: ['number', 'pin'],
          },
        },
        minProperties: 1,
        maxProperties: 1,
      },
      loft: {
        type: 'object',
        properties: {
          town: {
            type: 'string',
            title: 'Town',
            description: 'Where the `loft` is.',
            pattern: '^[A-Z][a-z]+$',
            examples: ['Ghent'],
          },
        },
        required: ['town'],
      },
      breed: {
        type: 'string',
        title: 'Breed',
        description: 'Of the pigeons.',
        enum: ['homing', 'racing'],
        default: 'homing',
      },
      birds: { type: 'integer', title: 'Birds', description: 'For each flight.' },
      at_night: { type: 'boolean', title: 'Flies at night', description: 'Owls are awake.' },
      note: { type: 'string', title: 'Note', description: 'On the leg.', maxLength: 10 },
    },
    required: ['keeper', 'loft'],
  },
};

const recorded = {
  'GET /event_types': { event_types: [], uri: '', next_page_uri: null },
  'GET /target_kinds': { ...targetKinds, target_kinds: [...targetKinds.target_kinds, pigeon] },
};
const problem = { error_code: 'invalid_input', title: 'Invalid input', detail: 'Not valid.', operation_id: 'op_1' };
const withRefusal = (errors: readonly object[]) => ({
  ...recorded,
  'POST /event_destinations': new Refusal(400, { ...problem, errors }),
});

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const step = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^\\d ${name}$`) });
const button = (page: Page) => page.getByRole('button', { name: 'Create the destination' });

/** Fails unless axe-core finds nothing. A button that is half under the header of the page would be too small. */
async function expectAccessibleForm(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  await expectAccessible(page);
}

/** Sets every field of the page to a text, one after another, as typing does. Returns what the fields have then. */
function fillAll(page: Page, text: string): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(async () => {
    const inputs = [...document.querySelectorAll('section :is(input[type=text], input[type=password])')];
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    for (const input of inputs) {
      input.focus();
      // As the browser does it: React overrides the property of each element.
      set.call(input, ${JSON.stringify(text)});
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((done) => setTimeout(done));
      input.blur();
    }
    return inputs.map(({ value }) => value);
  })()`);
}

/** Sends the form, and returns the target in the request. */
async function sentTarget({ page, changes }: RecordedConsole): Promise<JsonObject> {
  await button(page).click();
  await page.getByRole('alert').getByText('The destination was not created').waitFor();
  expect(changes.map(({ operation }) => operation)).toEqual(['POST /event_destinations']);
  const body = changes[0]?.body;
  return (body as { target: JsonObject }).target;
}

describe.skipIf(chromium === null)('the form of a destination', () => {
  test('is made for a kind of target of which the console has never heard', async () => {
    const opened = await openRecorded('/destinations/new', withRefusal([]));
    const { page, complaints } = opened;
    await page.getByRole('radio', { name: 'Pigeon Post' }).check();
    const missing = (name: string) => page.getByRole('list', { name: `Missing in ${name}` }).getByRole('listitem');
    expect(await missing('Target').allTextContents()).toEqual(['Town: not filled in yet']);
    expect(await missing('Credentials').allTextContents()).toEqual(['Shape of the key: not filled in yet']);
    expect(await field(page, 'Breed').inputValue()).toBe('homing');
    expect(await field(page, 'Town').getAttribute('placeholder')).toBe('Ghent');
    expect(await step(page, 'Target').locator('code').allTextContents()).toEqual(['loft']);

    await field(page, 'Town').fill('ghent');
    await page.getByText('It needs the form of this example: Ghent').waitFor();
    await field(page, 'Birds').fill('many');
    await page.getByText('It is not a number.').waitFor();
    await field(page, 'Note').fill('much too long');
    await page.getByText('It has 13 characters. At most 10 are stored.').waitFor();
    await page.getByRole('radio', { name: 'A badge' }).check();
    expect(await field(page, 'Shape of the key').count()).toBe(0);
    expect(await field(page, 'Pin').getAttribute('type')).toBe('password');
    await expectAccessibleForm(page);
    expect(await button(page).isDisabled()).toBe(true);

    for (const [label, value] of [
      ['Town', 'Ghent'],
      ['Birds', '3'],
      ['Note', ''],
      ['Number of the badge', 'B-7'],
      ['Pin', '0000'],
    ] as const) {
      await field(page, label).fill(value);
    }
    await field(page, 'Breed').selectOption('racing');
    await field(page, 'Flies at night').selectOption('Yes');
    expect(await sentTarget(opened)).toEqual({
      pigeon_loft: {
        keeper: { badge: { number: 'B-7', pin: '0000' } },
        loft: { town: 'Ghent' },
        breed: 'racing',
        birds: 3,
        at_night: true,
        note: null,
      },
    });
    expect(complaints).toEqual([]);
  });

  test.each<[TargetKind, string, readonly (readonly [string, string])[], JsonObject]>([
    [
      'data_stream',
      'Kinesis Data Streams',
      [
        ['ARN of the data stream', ` ${STREAM} `],
        ['ARN of the role', ROLE],
      ],
      { stream_arn: STREAM, auth: { role: { role_arn: ROLE } }, records: 'one_event' },
    ],
    [
      'delivery_stream',
      'Amazon Data Firehose',
      [
        ['ARN of the delivery stream', 'arn:aws:firehose:eu-central-1:123456789012:deliverystream/orders'],
        ['ARN of the role', ROLE],
      ],
      { auth: { role: { role_arn: ROLE } }, records: 'one_event' },
    ],
    [
      'log_group',
      'CloudWatch Logs',
      [
        ['ARN of the log group', 'arn:aws:logs:eu-central-1:123456789012:log-group:/audit'],
        ['ARN of the role', ROLE],
      ],
      { auth: { role: { role_arn: ROLE } } },
    ],
    [
      'monitoring',
      'Datadog Logs',
      [
        ['Tags', 'env:production'],
        ['Datadog API key', '0'.repeat(32)],
      ],
      { api_key: '0'.repeat(32), tags: 'env:production', service: null, site: 'datadoghq.com' },
    ],
    [
      'log_ingestion',
      'Azure Monitor Logs',
      [
        ['Logs ingestion address', 'https://audit-abcd.westeurope-1.ingest.monitor.azure.com'],
        ['Immutable id of the data collection rule', `dcr-${'0'.repeat(32)}`],
        ['Stream of the rule', 'Custom-Waybill_CL'],
        ['Directory (tenant) id', GUID],
        ['Application (client) id', GUID],
        ['Client secret', 'secret'],
      ],
      { tenant_id: GUID, client_id: GUID, client_secret: 'secret' },
    ],
  ])('makes a %s that the service accepts', async (kind, service, values, expected) => {
    const opened = await openRecorded('/destinations/new', withRefusal([]));
    const { page, complaints } = opened;
    await page.getByRole('radio', { name: service, exact: true }).check();
    for (const [label, value] of values) await field(page, label).fill(value);
    const target = await sentTarget(opened);
    expect(Object.keys(target)).toEqual([kind]);
    expect(target[kind]).toMatchObject(expected);
    expect(targetOf(kind).config.safeParse(target[kind]).error).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test('keeps no secret in the browser, whichever field it was typed into', async () => {
    const { page, complaints } = await openRecorded('/destinations/new', recorded);
    await page.getByRole('radio', { name: 'Pigeon Post' }).waitFor();
    for (const { title } of [...targetKinds.target_kinds, pigeon]) {
      await page.getByRole('radio', { name: String(title), exact: true }).check();
      const ways = ['A role that', 'A long-term access key'].map((name) => page.getByRole('radio', { name }));
      const choices = (await ways[0]?.count()) === 0 ? [null] : ways;
      for (const way of choices) {
        await way?.check();
        for (const secret of secrets) {
          const values = await fillAll(page, secret);
          expect(values.length).toBeGreaterThan(2);
          expect([...new Set(values)]).toEqual([secret]);
          // It is no field of the target, and a name that everybody sees.
          await field(page, 'Description').fill('');
          expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toContain(
            secret,
          );
        }
      }
    }
    expect(complaints).toEqual([]);
  });

  test('says at its field what the service refused, until another value is typed, and repeats a request as the same', async () => {
    const detail = 'must be a role in the account of the target';
    const { page, complaints } = await openRecorded(
      '/destinations/new',
      withRefusal([{ pointer: '/target/data_stream/auth/role/role_arn', detail }]),
    );
    await field(page, 'ARN of the data stream').fill(STREAM);
    const role = field(page, 'ARN of the role');
    await role.fill(ROLE);
    const keys: (string | undefined)[] = [];
    page.on('request', (sent) => {
      if (sent.method() === 'POST') keys.push(sent.headers()['idempotency-key']);
    });
    await button(page).click();
    await page.getByRole('alert').getByText(detail).waitFor();
    expect(await role.getAttribute('aria-invalid')).toBe('true');
    expect(await role.inputValue()).toBe(ROLE);
    await expectAccessibleForm(page);
    await button(page).click();
    await expect.poll(() => keys.length).toBe(2);
    await page.getByRole('alert').getByText(detail).waitFor();
    await role.fill(`${ROLE}-2`);
    expect(await role.getAttribute('aria-invalid')).toBeNull();
    expect(await page.getByRole('alert').count()).toBe(0);
    await button(page).click();
    await expect.poll(() => keys.length).toBe(3);
    expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
    expect(complaints).toEqual([]);
  });
});
