import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ExportedEvents, LogProof, reconcile, report, type Reconciliation } from '@waybill/reconcile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileCommand, reconcileOptions } from '../../packages/reconcile/src/options.js';
import { run, type Outcome } from '../../packages/reconcile/src/run.js';
import { TestLog } from '../../packages/verify/src/testing.js';
import { DeliveringApi } from '../support/delivering-api.js';

const COUNT = 8;

let delivering: DeliveringApi;
let folder: string;
let destinationId: string;
let received: readonly string[];
/** As an auditor has pinned it. */
let vkey: string;
beforeAll(async () => {
  [delivering, folder] = await Promise.all([
    DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2' }),
    mkdtemp(path.join(tmpdir(), 'waybill-reconcile-')),
  ]);
  const { admin } = delivering.api;
  const destination = await delivering.destination();
  destinationId = destination.id;
  vkey = (await (await fetch(`${admin.baseUrl}/.well-known/waybill-log-keys`)).text()).trim();
  await delivering.publish(COUNT);
  received = await delivering.sealed(destination, COUNT);
});
afterAll(async () => {
  await delivering.close();
  await rm(folder, { recursive: true });
});

async function reconciled(lines: readonly string[], ...args: readonly string[]): Promise<Outcome> {
  const file = path.join(folder, 'file.ndjson');
  await writeFile(file, lines.join('\n'));
  const { baseUrl, admin } = delivering.api;
  const all = ['--destination', destinationId, '--url', baseUrl, '--key', vkey, ...args, file];
  return run(reconcileOptions(reconcileCommand().parse(all, { from: 'user' }), String(admin.token)), process.stderr);
}

const found = async (lines: readonly string[], ...args: readonly string[]): Promise<Reconciliation> =>
  JSON.parse((await reconciled(lines, '--json', ...args)).output);

const third = () => received[2] ?? '';
const altered = () => received.with(2, third().replace('"event_timestamp":"2', '"event_timestamp":"3'));

describe('a reconciliation with a verifier key', () => {
  it('verifies the events with the signed log, and says with which checkpoint and key', async () => {
    const { output, exitCode } = await reconciled(received);
    expect(exitCode).toBe(0);
    expect(output).toContain(`/${destinationId}/1, checkpoint of ${received.length - 1} events, read at `);
    expect(output).toMatch(/read at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, key /);
    expect(output).toContain(`key ${vkey}`);
    expect(output).toContain(
      'Nothing was altered. The signed log has each of these events but what came after the checkpoint, which is not verified.',
    );
  });

  it('verifies a part with the tiles of the API', async () => {
    const part = await found(received.slice(3), '--from', '4', '--no-content');
    expect(part).toMatchObject({
      accounted_for: true,
      proof: { verified: true, findings: [], logs: [{ events: received.length - 4, not_yet_sealed: 1 }] },
    });
  });

  it('reports a missing and an altered number once', async () => {
    expect(await found(altered().toSpliced(4, 1))).toMatchObject({
      missing: [{ sequence: 5, because: 'acknowledged' }],
      altered: [{ sequence: 3, in_log: false }],
      proof: { verified: false, findings: [] },
    });
    const { output, exitCode } = await reconciled(altered(), '--no-content');
    expect(exitCode).toBe(1);
    expect(output).toMatch(/1 of the signed log: ALTERED.*\n {2}3 {2}evt_\w+ {2}\S+file.ndjson, line 3/);
    expect(output).toContain('NOT VERIFIED with the signed log.');
  });

  it('finds an altered event that says that it is beyond the checkpoint, or in no log', async () => {
    const sealed = /"integrity":\{"log":"([^"]+)","index":2/;
    const beyond = altered().map((line) => line.replace(sealed, '"integrity":{"log":"$1","index":99'));
    expect(await found(beyond, '--no-content')).toMatchObject({
      proof: { verified: false, findings: [{ verdict: 'altered' }, { verdict: 'missing', sequence: 3 }] },
    });
    expect(await found(beyond)).toMatchObject({ altered: [{ sequence: 3, in_log: false }], proof: { findings: [] } });
    const bare = received.with(2, third().replace(/,"integrity":\{[^}]*\}/, ''));
    expect(await found(bare)).toMatchObject({ altered: [{ sequence: 3, in_log: false }], proof: { verified: false } });
  });

  it('does not blame Waybill for a forged copy beside an intact line', async () => {
    for (const index of ['999999', '4']) {
      const copy = altered()[2]?.replace(/"index":\d+/, `"index":${index}`) ?? '';
      expect(await found([...received, copy])).toMatchObject({
        altered: [{ sequence: 3, has_intact_line: true, in_log: false }],
        proof: { verified: false },
      });
    }
  });

  it('finds which of the two is altered: the file, or what Waybill has stored', async () => {
    const { event_id: id } = JSON.parse(third()) as { event_id: string };
    const { pool } = delivering.api.store;
    const { rows } = await pool.query<{ payload: string }>('select payload from events where id = $1', [id]);
    const forge = (payload = '') => pool.query('update events set payload = $2 where id = $1', [id, payload]);
    await forge(rows[0]?.payload.replace('"event_timestamp":"2', '"event_timestamp":"3'));
    try {
      expect(await found(received)).toMatchObject({
        altered: [{ sequence: 3, in_log: true }],
        proof: { verified: true, findings: [] },
      });
      expect((await reconciled(received)).output).toContain("Waybill's own record was altered");
      // Both agree, and the log does not.
      expect(await found(altered())).toMatchObject({
        altered: [],
        proof: { verified: false, findings: [{ verdict: 'altered', sequence: 3, line: 3 }] },
      });
    } finally {
      await forge(rows[0]?.payload);
    }
  });

  it('believes no checkpoint that another key has signed', async () => {
    const keys = path.join(folder, 'keys');
    await writeFile(keys, `${new TestLog('other').vkey}\n`);
    const { exitCode, output } = await reconciled(received, '--no-content', '--key', keys);
    expect(exitCode).toBe(0);
    expect(output).toContain('The signed log has each of these events but what came after');
    vkey = new TestLog('other').vkey;
    expect((await found(received, '--no-content')).proof).toMatchObject({
      verified: false,
      logs: [],
      findings: [{ verdict: 'unknown_key' }],
    });
  });
});

describe('the logs of a destination', () => {
  const log = new TestLog();
  const next = new TestLog(undefined, { epoch: 2 }, 7);
  const [lines, later] = [log, next].map((one) =>
    Array.from({ length: 6 }, (_, at) => JSON.stringify(one.append({ event_id: `evt_${at}` }))),
  );
  const note = log.checkpoint();

  /** Compares lines with the log of the first epoch. @param last sequence that Waybill says it has given out */
  async function proved(
    held: readonly string[] = [],
    last: number,
    firsts: readonly number[],
  ): Promise<Reconciliation> {
    const epochs = firsts.map((first, at) => ({ epoch: at + 1, first_sequence: first }));
    const logs = {
      notes: async (epoch: number) => (epoch === 1 ? note : null),
      tile: async (_: number, name: string) => log.tiles.get(name) ?? new Uint8Array(),
    };
    const proof = await LogProof.of(logs, epochs, [log.vkey]);
    const exported = new ExportedEvents((event, place) => proof.add(event, place));
    for (const line of held) exported.add(line);
    const records = {
      status: async () => ({ status: 'healthy', target_kind: 'data_stream', last_sequence: last, epochs }),
      async *deliveries() {},
    };
    return proof.finish(await reconcile(exported, records, { from: 1, exportedAt: new Date() }), async () => {});
  }

  it('may have more than Waybill says', async () => {
    expect(await proved(lines?.slice(0, 4), 4, [1])).toMatchObject({
      accounted_for: true,
      proof: { verified: false, findings: [{ verdict: 'cut_at_the_end', sequence: 5, last_sequence: 6 }] },
    });
  });

  it('may not have a checkpoint of a new epoch yet', async () => {
    const early = await proved([...(lines ?? []), ...(later ?? [])], 12, [1, 7]);
    expect(early.proof).toMatchObject({ verified: false, unsealed_epochs: [2], counts: { wrong_epoch: 6 } });
    expect(report(early)).toContain(
      '\nEpoch 2 has no checkpoint yet: its events could not be verified. Compare again in a minute.\n',
    );
    expect((await proved(lines, 6, [1, 7])).proof).toMatchObject({ verified: true, unsealed_epochs: [] });
  });
});
