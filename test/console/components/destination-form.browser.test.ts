import { describe, expect, test } from 'vitest';
import { chromium } from '../browser/console-site.js';
import { openRecorded, Refusal } from './recorded-console.js';

const STREAM = 'arn:aws:kinesis:eu-central-1:123456789012:stream/orders';
const ROLE = 'arn:aws:iam::210987654321:role/waybill-events';

describe.skipIf(chromium === null)('the form of a destination', () => {
  test('says what the service refused, and keeps what was typed', async () => {
    const { page, changes, complaints } = await openRecorded('/destinations/new', {
      'GET /event_types': { event_types: [], uri: '', next_page_uri: null },
      'POST /event_destinations': new Refusal(400, {
        error_code: 'invalid_input',
        title: 'Invalid input',
        detail: 'One member is not valid.',
        operation_id: 'op_1',
        errors: [{ pointer: '/target/data_stream/auth/role/role_arn', detail: 'must be in the partition' }],
      }),
    });
    await page.getByLabel('ARN of the data stream', { exact: true }).fill(STREAM);
    await page.getByLabel('ARN of the role', { exact: true }).fill(ROLE);
    await page.getByRole('button', { name: 'Create the destination' }).click();
    await page.getByRole('alert').getByText('must be in the partition').waitFor();
    expect(await page.getByLabel('ARN of the role', { exact: true }).inputValue()).toBe(ROLE);
    expect(changes).toEqual([
      {
        operation: 'POST /event_destinations',
        body: {
          target: { data_stream: { auth: { role: { role_arn: ROLE } }, stream_arn: STREAM, records: 'one_event' } },
        },
      },
    ]);
    expect(complaints).toEqual([]);
  });
});
