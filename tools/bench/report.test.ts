import { describe, expect, it } from 'vitest';
import { goalCount, headline, markdownTable, missedGoals, table } from './report.js';
import { figure, deliveryCounts, type BenchResult } from './result.js';

const result: BenchResult = {
  bench: 'drain',
  variant: '1 data_stream',
  backend: 'postgres',
  figures: [
    figure('drained', 12_000, 'events/s'),
    figure('ratio_to_bullmq', 4, '', { is: 'at least', value: 5 }),
    figure('p99', 40, 'ms', { is: 'under', value: 50 }),
  ],
  deliveries: deliveryCounts(10, 11, 1),
  cpu_percent: { worker: 98.4, others: 3 },
  seconds: 4.25,
  notes: ['A note.'],
};

describe('the report of the benchmarks', () => {
  it('lists every figure with its goal, then losses and CPU use', () => {
    expect(table([result])).toBe(
      [
        'bench  variant        queues    figure           value  unit      goal',
        '─────  ─────────────  ────────  ───────────────  ─────  ────────  ─────────────────────',
        'drain  1 data_stream  postgres  drained          12000  events/s',
        'drain  1 data_stream  postgres  ratio_to_bullmq      4            MISSED (at least 5)',
        'drain  1 data_stream  postgres  p99                 40  ms        reached (under 50 ms)',
        '    lost 0 and duplicates 1 of 10; 4.3 s; CPU in % of one core: worker 98, others 3; A note.',
      ].join('\n'),
    );
  });

  it('formats a Markdown table', () => {
    expect(markdownTable([result]).split('\n').at(-1)).toBe(
      '| drain | 1 data_stream | postgres | drained 12,000 events/s; ratio_to_bullmq 4 (missed); p99 40 ms (reached) ' +
        '| 0 / 1 of 10 | worker 98, others 3 |',
    );
  });

  it('names the missed goals', () => {
    expect(missedGoals([result])).toEqual([
      'drain (1 data_stream) on postgres: ratio_to_bullmq is 4, goal is at least 5',
    ]);
    expect(goalCount([result, result])).toBe(4);
  });

  it('formats a result in one line', () => {
    expect(headline({ ...result, variant: '' })).toBe(
      'drain on postgres: drained 12000 events/s, ratio_to_bullmq 4, p99 40 ms; ' +
        'lost 0 and duplicates 1 of 10; 4.3 s; CPU in % of one core: worker 98, others 3; A note.',
    );
  });
});
