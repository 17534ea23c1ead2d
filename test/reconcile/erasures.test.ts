import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type DeliveryRecord,
  erasuresOf,
  ExportedEvents,
  LogProof,
  passes,
  reconcile,
  type Reconciliation,
  withErased,
} from '@waybill/reconcile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileCommand, reconcileOptions } from '../../packages/reconcile/src/options.js';
import { run, type Outcome } from '../../packages/reconcile/src/run.js';
import { erasedLog, lines, logOf, recordText } from '../../packages/verify/src/command/testing.js';
import { until } from '../../tools/harness/until.js';
import { DeliveringApi } from '../support/delivering-api.js';

describe('a reconciliation after an erasure', () => {
  let delivering: DeliveringApi;
  let folder: string;
  let destination: Awaited<ReturnType<DeliveringApi['destination']>>;
  let vkey: string;
  /** What the target held before the erasures, and when it was read. */
  let before: readonly string[];
  let readBefore: string;
  /** What it holds after them, if nobody deletes anything there. */
  let after: readonly string[];
  beforeAll(async () => {
    [delivering, folder] = await Promise.all([
      DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2' }),
      mkdtemp(path.join(tmpdir(), 'waybill-reconcile-')),
    ]);
    destination = await delivering.destination();
    const { admin } = delivering.api;
    vkey = (await (await fetch(`${admin.baseUrl}/.well-known/waybill-log-keys`)).text()).trim();
    await delivering.publish(2);
    const { id } = await admin.create('/ip_policies', {});
    await delivering.publish(2);
    before = await delivering.sealed(destination, 5);
    readBefore = new Date().toISOString();
    await erase(id);
    const { id: later } = await admin.create('/ip_policies', {});
    await erase(later);
    after = delivering.arrivals(destination.arn);
  });
  afterAll(async () => {
    await delivering.close();
    await rm(folder, { recursive: true });
  });

  /** Erases the event of a policy, and waits until a checkpoint covers the event that announces it. */
  async function erase(policy: string): Promise<void> {
    const { admin } = delivering.api;
    const erasure = await admin.create('/erasures', { object_id: policy, reason: 'Ticket 4711' });
    const state = async () => (await admin.get(erasure.path)).body.state;
    await until(async () => (await state()) === 'finished', 'the erasure is finished');
    const announcing = () =>
      delivering.arrivals(destination.arn).find((line) => line.includes(`erasure ${erasure.id}`));
    await until(() => announcing() !== undefined, 'the record is announced');
    await delivering.sealed(destination, 1);
  }

  async function reconciled(those: readonly string[], ...args: readonly string[]): Promise<Outcome> {
    const file = path.join(folder, 'file.ndjson');
    await writeFile(file, those.join('\n'));
    const { baseUrl, admin } = delivering.api;
    const all = ['--destination', destination.id, '--url', baseUrl, ...args, file];
    return run(reconcileOptions(reconcileCommand().parse(all, { from: 'user' }), String(admin.token)), process.stderr);
  }

  /** Returns what is left of the arrivals where the target has deleted the erased events. */
  const deleted = () => after.filter((line) => !erasedNumbers().includes(sequenceOf(line)));
  const erasedNumbers = () => [3, sequenceOf(after.findLast((line) => line.includes('ip_policy_created')) ?? '')];

  it('says that the events are erased, and not missing, by records that were not verified', async () => {
    const { output, exitCode } = await reconciled(deleted(), '--strict');
    expect(output).toContain('2 erased: by a record that was not verified\n  3  evt_');
    expect(output).toMatch(/2 were erased by a record that was not verified\. Nothing was altered\.\n$/);
    expect(exitCode).toBe(0);
    const [, last] = erasedNumbers();
    expect(JSON.parse((await reconciled(deleted(), '--json')).output)).toMatchObject({
      accounted_for: true,
      missing: [
        { sequence: 3, because: 'erased', detail: expect.stringMatching(/^ers_/) },
        { sequence: last, because: 'erased' },
      ],
    });
  });

  it('says so of events that the target still has', async () => {
    const { output, exitCode } = await reconciled(after);
    expect(output).toContain(
      '2 ERASED, AND IN THE EXPORT: Waybill has erased them by a record that was not verified, and the content was not compared\n  3  evt_',
    );
    expect(exitCode).toBe(0);
  });

  it('verifies the records with a key', async () => {
    const { output, exitCode } = await reconciled(deleted(), '--key', vkey);
    expect(output).toContain('2 erased: by a signed record\n');
    expect(output).toMatch(/2 were erased by a signed record\. .* The signed log has each of these events.*\.\n$/);
    expect(exitCode).toBe(0);
  });

  it('verifies a file from before the erasure, and one that begins after an erasure', async () => {
    const old = await reconciled(before, '--key', vkey, '--exported-at', readBefore, '--json');
    expect(JSON.parse(old.output)).toMatchObject({
      content: { uncertain: [{ sequence: 3, because: 'erased' }] },
      proof: { verified: true, findings: [] },
    });
    expect(old.exitCode).toBe(0);
    const [, last = 0] = erasedNumbers();
    const rest = deleted().filter((line) => sequenceOf(line) >= last);
    const { output, exitCode } = await reconciled(rest, '--key', vkey, '--from', String(last), '--json');
    expect(JSON.parse(output)).toMatchObject({
      missing: [{ sequence: last, because: 'erased' }],
      proof: { verified: true, findings: [], logs: [{ erased: 1 }] },
    });
    expect(exitCode).toBe(0);
  });
});

describe('an erasure record that does not count', () => {
  const { log, left, announcing, record } = erasedLog();
  const epochs = [{ epoch: 1, first_sequence: 1 }];

  /** Compares events with a destination that has delivered all of the log. */
  async function compared(events: readonly object[], erasures: string, vkey?: string): Promise<Reconciliation> {
    const checkpoint = log.checkpoint();
    const logs = {
      notes: async (_: number, file: string) => (file === 'checkpoint' ? checkpoint : erasures),
      tile: async (_: number, name: string) => log.tiles.get(name) ?? new Uint8Array(),
    };
    const records = {
      status: async () => ({ status: 'healthy', target_kind: 'data_stream', last_sequence: 21, epochs }),
      async *deliveries(state: DeliveryRecord['state']) {
        const count = state === 'delivered' ? 21 : 0;
        for (let sequence = count; sequence > 0; sequence -= 1)
          yield { event_id: `evt_${sequence - 1}`, state, sequence, finished_at: '2026-11-21T10:00:00Z', error: null };
      },
    };
    const proof = vkey === undefined ? null : await LogProof.of(logs, epochs, [vkey]);
    const exported = new ExportedEvents((event, place) => proof?.add(event, place));
    for (const line of lines(events).trimEnd().split('\n')) exported.add(line);
    const numbers = await reconcile(exported, records, { from: 1, exportedAt: new Date() });
    return proof === null
      ? withErased(numbers, await erasuresOf(numbers, logs, epochs))
      : proof.finish(numbers, async () => {});
  }

  const becauseOf = ({ missing }: Reconciliation) => missing.map(({ sequence, because }) => [sequence, because]);
  const erased = [4, 5, 10].map((sequence) => [sequence, 'erased']);
  const lost = [4, 5, 10].map((sequence) => [sequence, 'acknowledged']);

  it('is told from one that does', async () => {
    const found = await compared(left, record, log.vkey);
    expect(becauseOf(found)).toEqual(erased);
    expect(found).toMatchObject({
      accounted_for: true,
      proof: { verified: true, findings: [], logs: [{ erased: 3 }] },
    });
    expect(passes(found, true)).toBe(true);
  });

  it.each([
    ['no event of the files announces it', left.filter((event) => event !== announcing), record, 'unannounced_erasure'],
    ['it was changed', left, record.replace('\n9\n', '\n9-10\n'), 'forged_erasure'],
    ['another key has signed it', left, logOf(1, { seed: 'other' }).log.sign(recordText(log, [[3, 5]])), 'unknown_key'],
    ['it is of another log', left, foreign(), 'foreign_erasure'],
  ])('leaves its numbers missing with a key: %s', async (_, events, note, verdict) => {
    const found = await compared(events, note, log.vkey);
    expect(becauseOf(found).filter(([sequence]) => Number(sequence) < 20)).toEqual(lost);
    expect(found).toMatchObject({ accounted_for: false, proof: { verified: false, findings: [{ verdict }] } });
  });

  it('names only what it names, and explains nothing where it cannot be read', async () => {
    expect(
      becauseOf(await compared(left, recordText(log, [[4, 5]]) + record.slice(record.indexOf('\n\n') + 1))),
    ).toEqual([
      [4, 'acknowledged'],
      [5, 'erased'],
      [10, 'acknowledged'],
    ]);
    expect(becauseOf(await compared(left, 'no record'))).toEqual(lost);
  });

  function foreign(): string {
    const other = logOf(1, { destination: 'ed_2' }).log;
    return other.sign(recordText(other, [[3, 5]]));
  }
});

function sequenceOf(line: string): number {
  return Number(JSON.parse(line).sequence);
}
