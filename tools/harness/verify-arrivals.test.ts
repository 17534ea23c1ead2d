import { parseVkey } from '@waybill/verify';
import { expect, it } from 'vitest';
import { TestLog } from '../../packages/verify/src/testing.js';
import { checkpointOf } from '../../src/events/catalogue/checkpoint-event.js';
import { ApiClient } from './api-client.js';
import { verifyArrivals } from './verify-arrivals.js';

const NAME = 'waybill.example.com';
const at = { destination: 'ed_1', epoch: 1 };

/** Serves the files of a log. */
class LogClient extends ApiClient {
  constructor(
    private readonly checkpoint: string,
    private readonly log: TestLog,
  ) {
    super('http://127.0.0.1:1', '');
  }

  override async file(path: string): Promise<Buffer | null> {
    const file = path.replace('/event_destinations/ed_1/log/1/', '');
    if (file === 'checkpoint') return Buffer.from(this.checkpoint);
    const tile = this.log.tiles.get(file);
    return tile === undefined ? null : Buffer.from(tile);
  }
}

/** Verifies an arrival, and a checkpoint after it that a log with a key of this seed has signed. */
async function verifyWithCheckpointOf(seed: string) {
  const log = new TestLog(NAME, { ...at, seed: 'a key' });
  const signer = new TestLog(NAME, { ...at, seed });
  const payload = { event_id: 'evt_1', event_type: 'order_created.v0' };
  signer.append(payload);
  const checkpoint = signer.checkpoint();
  const event = checkpointOf('acc_1', { id: 'ed_1', epoch: 1, log: log.origin, size: 1, checkpoint, cosigned: null });
  const arrivals = [log.append(payload), log.append(JSON.parse(event.payload) as object)];
  const received = arrivals.map((arrival) => ({ body: JSON.stringify(arrival) }));
  return verifyArrivals(new LogClient(log.checkpoint(), log), 'ed_1', received, [parseVkey(log.vkey)]);
}

it('verifies arrivals with the checkpoints among them', async () => {
  const { logs, findings, unsealed } = await verifyWithCheckpointOf('a key');
  expect({ events: logs[0]?.events, findings: findings.list, unsealed }).toEqual({
    events: 2,
    findings: [],
    unsealed: 0,
  });
});

it('refuses a checkpoint among the arrivals that no key of the installation has signed', async () => {
  await expect(verifyWithCheckpointOf('another key')).rejects.toThrow('by none of the given keys');
});
