import { expect, test } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import { UnevaluatedFilters } from './unevaluated-filters.js';

test('a filter that cannot be evaluated is counted each time, and logged once in a while, without values', () => {
  const lines: Record<string, unknown>[] = [];
  const counted: string[] = [];
  const filters = new UnevaluatedFilters(
    createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    {
      unevaluated: (result, reason) => void counted.push(`${result} ${reason}`),
    },
  );
  const failure = { reason: 'failed', eventId: 'evt_1', eventType: 'order_created.v0' } as const;
  for (let n = 0; n < 3; n += 1) filters.sent({ ...failure, of: { subscription: 'esb_1' } });
  filters.backfilled({ ...failure, of: { backfill: 'bkf_1' } });
  expect(counted).toEqual(['sent failed', 'sent failed', 'sent failed', 'backfilled failed']);
  const event = { level: 40, reason: 'failed', event: 'evt_1', event_type: 'order_created.v0' };
  expect(lines).toEqual([
    expect.objectContaining({
      ...event,
      subscription: 'esb_1',
      msg: 'a filter could not be evaluated for an event, which is sent',
    }),
    expect.objectContaining({
      ...event,
      backfill: 'bkf_1',
      msg: 'a filter could not be evaluated for an event, which is backfilled',
    }),
  ]);
  for (const line of lines) expect(line).not.toHaveProperty('err');
});
