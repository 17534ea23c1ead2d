import type { Bench } from '../bench.js';
import { figure } from '../result.js';
import { through as row } from './peers/change-rows.js';
import { goals } from './peers/goals.js';
import { inTurns } from './peers/turns.js';

/** CPU of all processes and stores for each event. */
const CPU = 'cpu_per_event_of_through';

/** Measures the sustained rate from a change to the arrival of its event. Compares with the plain BullMQ worker. */
export const through: Bench = {
  name: 'through',
  everyBackend: true,
  run: async function* (context) {
    const { waybill, plain } = await inTurns(context, row, ['waybill', 'plain'], 'through');
    const ours = waybill.values['through'] ?? Number.NaN;
    const theirs = plain.values['through'] ?? Number.NaN;
    yield context.result({
      bench: 'through',
      variant: '32 connections',
      figures: [
        figure('through', ours, 'events/s', goals['through']),
        figure('through_of_plain_worker', theirs, 'events/s'),
        figure('ratio_to_plain_worker', ours / theirs, '', { is: 'at least', value: 1.2 }),
        figure('cpu_per_publish', waybill.values['cpu_per_publish'] ?? Number.NaN, 'ms'),
        figure('cpu_per_event', waybill.values[CPU] ?? Number.NaN, 'ms', goals[CPU]),
        figure('cpu_per_event_of_plain_worker', plain.values[CPU] ?? Number.NaN, 'ms'),
        figure('cpu_per_publish_of_plain_worker', plain.values['cpu_per_publish'] ?? Number.NaN, 'ms'),
      ],
      deliveries: waybill.deliveries,
      cpu: waybill.cpu,
    });
  },
};
