import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { until } from '../../../tools/harness/until.js';
import { DeliveringApi } from '../../support/delivering-api.js';

const run = promisify(execFile);

let environment: DeliveringApi;
beforeAll(async () => {
  environment = await DeliveringApi.start();
});
afterAll(() => environment.close());

it('declare-recovery begins an epoch beside a running service, and every destination receives its first event', async () => {
  const { api } = environment;
  const { path, arn } = await environment.destination();
  await environment.publish(2);
  await environment.ended(path, 'delivered', 2);

  const { stdout } = await run(process.execPath, ['src/declare-recovery.js'], {
    cwd: inject('compiledProject'),
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: api.store.connectionString,
      SECRETS_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    },
  });
  const epoch = Number(/^Epoch (\d+) began; the epoch before was 1\./.exec(stdout)?.[1]);
  expect(epoch).toBeGreaterThan(1_700_000_000);

  await until(() => environment.arrivals(arn).length === 3, 'the first event of the epoch arrives');
  await environment.publish(1);
  await environment.ended(path, 'delivered', 4);
  const numbers = environment.arrivals(arn).map((body) => {
    const { event_type: type, epoch: of, sequence } = JSON.parse(body);
    return [type, of, sequence];
  });
  expect(numbers).toEqual([
    ['ip_policy_created.v0', 1, 1],
    ['ip_policy_created.v0', 1, 2],
    ['event_destination_epoch_started.v0', epoch, 3],
    ['ip_policy_created.v0', epoch, 4],
  ]);
  expect((await api.admin.get(`${path}/status`)).body).toMatchObject({
    last_sequence: 4,
    epoch,
    epochs: [
      { epoch: 1, first_sequence: 1 },
      { epoch, first_sequence: 3 },
    ],
  });
  const listed = await environment.deliveries(path);
  expect(listed.map((delivery) => [delivery['epoch'], delivery.sequence])).toEqual([
    [epoch, 4],
    [epoch, 3],
    [1, 2],
    [1, 1],
  ]);
});
