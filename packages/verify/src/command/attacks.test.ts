import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openCheckpoint } from '../log/checkpoint.js';
import { parseVkey } from '../log/note-key.js';
import { canonicalJson } from '../readers/canonical-json.js';
import { TestCosigner, TestLog } from '../testing.js';
import {
  changed,
  clean,
  erasedLog,
  falseCheckpoint,
  found,
  lines,
  logOf,
  payload,
  recordText,
  resequenced,
  streamedLog,
  TestRuns,
  type Event,
} from './testing.js';

const runs = new TestRuns();
afterAll(() => runs.remove());

const { log, events } = logOf(600);

const NO_TILES = { tiles: false };

/** Number of random edits of each kind: `EDITS=5000`. */
const RUNS = Number(process.env.EDITS ?? 100);

describe('an attacker with the export', () => {
  const sixth = events[5] ?? {};
  const seventh = events[6] ?? {};

  it.each([
    ['changes a value', changed(sixth, { version: 6 })],
    ['changes a letter', changed(sixth, { event_type: 'order_updateD.v0' })],
    ['adds a member', changed(sixth, { note: 'approved' })],
    ['adds a member to the proof', changed(sixth, { integrity: { ...Object(sixth.integrity), note: 'approved' } })],
    ['changes the salt', changed(sixth, { integrity: { ...Object(sixth.integrity), salt: '0'.repeat(32) } })],
    ['says that it is backfilled', changed(sixth, { backfill: true })],
    ['says that it is not backfilled', changed(sixth, { backfill: false })],
    ['removes a member', JSON.parse(JSON.stringify(changed(sixth, { object: undefined })))],
    ['changes the epoch', changed(sixth, { epoch: 2 })],
    ['changes the sequence alone', changed(sixth, { sequence: 7 })],
  ])('who %s is found, and the sequence is named', async (_, event) => {
    const altered = await runs.verify(lines(events.with(5, event)), log);
    expect(altered).toMatchObject({ exitCode: 1, verified: false });
    expect(altered.findings).toContainEqual(
      expect.objectContaining({ verdict: 'altered', event_id: 'evt_5', line: 6 }),
    );
    expect(altered.text).toMatch(/1 ALTERED: .*\n {2}[67] {2}evt_5 .*line 6.*\n(.*\n)*NOT VERIFIED\.\n$/);
    expect(await runs.verify(lines(events.with(5, event)), log, NO_TILES)).toMatchObject({
      exitCode: 1,
      verified: false,
    });
  });

  it('who writes a member twice is found, as readers may take either', async () => {
    const text = lines(events).replace('"version":5,', '"version":6,"version":5,');
    expect(found(await runs.verify(text, log, NO_TILES))).toContainEqual(['altered', 6, 6]);
    const hidden = lines(events).replace('"version":5,', '"v\\u0065rsion" : 6,"version":5,');
    expect(found(await runs.verify(hidden, log))).toContainEqual(['altered', 6, 6]);
  });

  it('who nests an event too deeply is found, and hides no other finding', async () => {
    const text = lines(events.with(9, changed(events[9], { version: 0 })));
    for (const levels of [2_000, 200_000]) {
      const deep = text.replace('"version":5,', `"version":${'['.repeat(levels)}${']'.repeat(levels)},`);
      expect(found(await runs.verify(deep, log))).toEqual([
        ['altered', 6, 6],
        ['missing', 6, 6],
        ['altered', 10, 10],
      ]);
    }
  });

  it('who exchanges two sequences is found', async () => {
    const text = lines(events.with(5, resequenced(seventh, sixth)).with(6, resequenced(sixth, seventh)));
    const exchanged = await runs.verify(text, log);
    expect(found(exchanged)).toEqual([
      ['reordered', 6, 6],
      ['reordered', 7, 7],
    ]);
    expect(exchanged.text).toContain('the event of sequence 7');
    expect(found(await runs.verify(text, log, NO_TILES))).toEqual([['altered', undefined, undefined]]);
  });

  it('who exchanges two sequences is found behind many altered events, in any order of the file', async () => {
    const others = events.slice(200).map((event) => changed(event, { version: 6 }));
    const exchanged = [...events.slice(0, 5), resequenced(seventh, sixth), resequenced(sixth, seventh)];
    const { counts } = await runs.verify(lines([...exchanged, ...events.slice(7, 200), ...others].toReversed()), log);
    expect(counts).toEqual({ reordered: 2, altered: 400 });
  });

  it('who drops events is found, and the others are compared with the tiles', async () => {
    const text = lines([...events.slice(0, 5), ...events.slice(7, 300), ...events.slice(301)]);
    const dropped = await runs.verify(text, log);
    expect(dropped.logs).toMatchObject([{ is_compared: true, events: 597 }]);
    expect(found(dropped)).toEqual([
      ['missing', 6, 7],
      ['missing', 301, 301],
    ]);
    expect(dropped).toMatchObject({ exitCode: 1, counts: { missing: 3 } });
    expect((await runs.verify(text, log, NO_TILES)).logs).toMatchObject([{ is_compared: false }]);
  });

  it('who drops events and changes another is found for both', async () => {
    const text = lines(events.with(9, changed(events[9], { version: 0 })).toSpliced(5, 2));
    expect(found(await runs.verify(text, log))).toEqual([
      ['missing', 6, 7],
      ['altered', 10, 10],
    ]);
  });

  it('who repeats an event with another content is found', async () => {
    const repeat = changed(sixth, { version: 6 });
    expect(found(await runs.verify(lines([...events, repeat]), log))).toEqual([['altered_repeat', 6, 6]]);
    expect(found(await runs.verify(lines([...events, repeat]), log, NO_TILES))).toEqual([['altered_repeat', 6, 6]]);
    // The altered one first: the export holds the true one too.
    const before = lines([repeat, ...events]);
    expect(found(await runs.verify(before, log))).toEqual([['altered_repeat', 6, 6]]);
    expect(found(await runs.verify(before, log, NO_TILES))).toContainEqual(['altered_repeat', 6, 6]);
  });

  it('who cuts the end is found', async () => {
    expect(found(await runs.verify(lines(events.slice(0, 590)), log))).toEqual([['cut_at_the_end', 591, 600]]);
    expect(found(await runs.verify('', log, NO_TILES))).toEqual([['cut_at_the_end', 1, 600]]);
    const broken = lines(events).slice(0, -30);
    expect(found(await runs.verify(broken, log))).toEqual([
      ['unreadable', undefined, undefined],
      ['cut_at_the_end', 600, 600],
    ]);
  });

  it('who mixes two destinations is found', async () => {
    const other = logOf(20, { destination: 'ed_2' });
    const spliced = lines([...events.slice(0, 5), ...other.events.slice(5, 7), ...events.slice(7)]);
    expect(found(await runs.verify(spliced, log))).toEqual([
      ['foreign', 6, 6],
      ['foreign', 7, 7],
      ['missing', 6, 7],
    ]);
    const claimed = other.events
      .slice(5, 7)
      .map((event, at) =>
        changed(event, { integrity: { ...Object(event.integrity), log: log.origin, index: 5 + at } }),
      );
    const hidden = lines([...events.slice(0, 5), ...claimed, ...events.slice(7)]);
    expect(found(await runs.verify(hidden, log))).toEqual([
      ['altered', 6, 6],
      ['altered', 7, 7],
    ]);
  });

  it('who removes the proof from an event is found', async () => {
    const { integrity: _, ...without } = sixth;
    expect(found(await runs.verify(lines(events.with(5, without)), log))).toEqual([
      ['foreign', 6, 6],
      ['missing', 6, 6],
    ]);
  });
});

describe('an attacker with the log', () => {
  it('who replays an old checkpoint hides nothing that the newer one covers', async () => {
    const { log: growing, events: first } = logOf(10);
    const old = growing.checkpoint();
    growing.append(payload(10));
    expect(await runs.verify(lines(first), growing, { notes: [old], ...NO_TILES })).toMatchObject(clean);
    expect(found(await runs.verify(lines(first), growing, { notes: [old, growing.checkpoint()] }))).toEqual([
      ['cut_at_the_end', 11, 11],
    ]);
  });

  it('who signs with another key is found', async () => {
    const forged = new TestLog('waybill.example.com', { seed: 'another key' });
    const forgedEvents = [forged.append(payload(0))];
    expect(found(await runs.verify(lines(forgedEvents), forged, { key: log.vkey }))).toEqual([
      ['unknown_key', undefined, undefined],
    ]);
    const named = log
      .checkpoint()
      .replace(
        / \S+\n$/,
        (signature) => ` ${Buffer.from(Buffer.from(signature.trim(), 'base64')).fill(7, 4).toString('base64')}\n`,
      );
    expect(found(await runs.verify(lines(events), log, { notes: [named] }))).toEqual([
      ['forged_checkpoint', undefined, undefined],
    ]);
  });

  it('who changes a checkpoint is found', async () => {
    const cut = log.checkpoint().replace('\n600\n', '\n599\n');
    expect(found(await runs.verify(lines(events.slice(0, 599)), log, { notes: [cut] }))).toEqual([
      ['forged_checkpoint', undefined, undefined],
    ]);
    expect(found(await runs.verify(lines(events), log, { notes: ['no note'] }))).toEqual([
      ['forged_checkpoint', undefined, undefined],
    ]);
  });

  it('who signs two trees for two readers is found by both checkpoints', async () => {
    const { log: one, events: shown } = logOf(300);
    const { log: two, events: hidden } = logOf(200);
    const other = two.append(payload(200, { version: 0 }));
    const fork = found(
      await runs.verify(lines(shown), one, { notes: [two.checkpoint(), one.checkpoint()], ...NO_TILES }),
    );
    expect(fork).toEqual([['forked_log', undefined, undefined]]);
    const partly = found(
      await runs.verify(lines(shown.slice(0, 299)), one, { notes: [two.checkpoint(), one.checkpoint()] }),
    );
    expect(partly).toEqual([
      ['cut_at_the_end', 300, 300],
      ['forked_log', undefined, undefined],
    ]);
    const { log: three } = logOf(200);
    three.append(payload(200, { version: 1 }));
    const same = [three.checkpoint(), two.checkpoint()];
    expect(found(await runs.verify(lines([...hidden, other]), two, { notes: same, ...NO_TILES }))).toEqual([
      ['forked_log', undefined, undefined],
    ]);
  });

  it('who serves tiles of another tree is found', async () => {
    const { log: one, events: shown } = logOf(300);
    const note = one.checkpoint();
    const { log: two } = logOf(299);
    two.append(payload(299, { version: 0 }));
    two.checkpoint();
    const lying = await runs.verify(lines(shown.slice(1)), two, { notes: [note] });
    expect(found(lying)).toEqual([
      ['missing', 1, 1],
      ['forked_log', undefined, undefined],
    ]);
    expect(lying.logs).toMatchObject([{ is_compared: false }]);
    two.tiles.set('tile/0/001.p/44', new Uint8Array(32));
    expect(found(await runs.verify(lines(shown.slice(1)), two, { notes: [note] }))).toEqual(found(lying));
  });
});

describe('an attacker with the key of the log, and a target that holds checkpoints', () => {
  const { log: one, events: shown } = streamedLog();
  const altered = (event: Event | undefined) => changed(event, { version: 99 });
  const fork = (size: number) => {
    const { log: two } = logOf(5, undefined, 3);
    while (Number(two.checkpoint().split('\n')[1]) < size) two.append(payload(99));
    return two;
  };
  const FORKED = ['forked_log', undefined, undefined];

  it('passes with checkpoints that agree, and with one of a key that is not given', async () => {
    expect(await runs.verify(lines(shown), one, NO_TILES)).toMatchObject({ ...clean, logs: [{ events: 10 }] });
    const { log: other, events: held } = streamedLog(() =>
      new TestLog(undefined, { seed: 'another key' }).checkpoint(),
    );
    expect(await runs.verify(lines(held), other, NO_TILES)).toMatchObject(clean);
  });

  it('who states a later tree that does not extend a checkpoint in the files is found', async () => {
    const two = fork(10);
    const named = await runs.verify(lines(shown), two, { notes: [two.checkpoint()] });
    expect(named.text).toContain(
      'export.ndjson, line 7  two signed checkpoints, of 6 and of 10 events, are not of one',
    );
    expect(found(named)).toContainEqual(FORKED);
    const unnamed = await runs.verify(lines(shown), two, { notes: [two.checkpoint()], ...NO_TILES });
    expect(unnamed.text).toContain('one or more of the events 9 to 12 are not what the log has, or the log has forked');
    const { log: early } = logOf(4, undefined, 3);
    early.append(payload(99));
    const earlier = await runs.verify(lines(shown), one, { notes: [early.checkpoint()], ...NO_TILES });
    expect(found(earlier)).toEqual([FORKED]);
    expect(earlier.text).toContain('two signed checkpoints, of 5 and of 6 events, are not of one tree');
  });

  it('who states another size alone is found', async () => {
    const notes = [falseCheckpoint(one, { size: 12 })];
    const cut = await runs.verify(lines(shown), one, { notes, ...NO_TILES });
    expect(found(cut)).toEqual([['cut_at_the_end', 13, 14], FORKED]);
    expect(cut.text).toContain('the signed checkpoint of 12 events has the root of the first 10 in the files');
    const { root } = openCheckpoint(String(Object(shown[6]?.object).checkpoint), [parseVkey(one.vkey)]);
    const streamed = await runs.verify(lines(shown), one, { notes: [falseCheckpoint(one, { root })], ...NO_TILES });
    expect(streamed.text).toContain('two signed checkpoints, of 10 and of 6 events, are not of one tree');
    expect(found(streamed)).toEqual([FORKED]);
  });

  it('who changes a checkpoint in the files is found', async () => {
    const { checkpoint } = Object(shown[6]?.object);
    const forged = changed(shown[6], { object: { checkpoint: checkpoint.replace('\n6\n', '\n5\n') } });
    expect(found(await runs.verify(lines(shown.with(6, forged)), one))).toEqual([
      ['forged_checkpoint', 9, 9],
      ['altered', 9, 9],
    ]);
  });

  it('who alters an event that only a checkpoint in the files covers is found', async () => {
    const { log: few, events: sealed } = logOf(2, undefined, 3);
    expect(await runs.verify(lines(shown), few, NO_TILES)).toMatchObject({ ...clean, logs: [{ not_yet_sealed: 8 }] });
    const changedOne = await runs.verify(
      lines([...sealed, ...shown.slice(2).with(1, altered(shown[3]))]),
      few,
      NO_TILES,
    );
    expect(found(changedOne)).toEqual([['altered', undefined, undefined]]);
    expect(changedOne.text).toContain('one or more of the events 5 to 8');
    // Their indexes are 3 and 7; the largest checkpoint in the files has 6.
    const repeats = lines([...shown, altered(shown[3]), altered(shown[3]), altered(shown[7]), shown[3]]);
    const repeated = await runs.verify(repeats, few, NO_TILES);
    expect(found(repeated)).toEqual([['altered_repeat', 6, 6]]);
    expect(repeated.findings).toMatchObject([{ line: 11 }]);
  });
});

describe('an attacker who erases what was never asked', () => {
  const { log: erasing, record, announcing, left, events: whole } = erasedLog();
  const missing = [
    ['missing', 4, 5],
    ['missing', 10, 10],
  ];

  it('nothing is missing where a record names the sequences, and an event announces the record', async () => {
    const result = await runs.verify(lines(left), erasing, { erasures: record });
    expect(result).toMatchObject({ ...clean, logs: [{ erased: 3, erased_but_there: 0, is_compared: true }] });
    expect(result.logs[0]?.erased_sequences).toEqual([
      [4, 5],
      [10, 10],
    ]);
    expect(result.text).toContain('name 3 sequences that are not in the files: 4 to 5, 10.');
    expect(result.text).toContain(
      'VERIFIED: all 18 events are as the log has them, and none is missing. 3 were erased',
    );
    const there = await runs.verify(lines(whole), erasing, { erasures: record, ...NO_TILES });
    expect(there).toMatchObject({ ...clean, logs: [{ erased: 0, erased_but_there: 3 }] });
    expect(there.text).toContain('name 3 that are there');
  });

  it('who alters an event beside erased ones is found', async () => {
    const altered = left.with(3, changed(left[3], { version: 99 }));
    expect(found(await runs.verify(lines(altered), erasing, { erasures: record }))).toEqual([['altered', 6, 6]]);
    const untold = await runs.verify(lines(altered), erasing, { erasures: record, ...NO_TILES });
    expect(untold).toMatchObject({ exitCode: 2, verified: false, logs: [{ is_compared: false }] });
  });

  it('who gives no record is found', async () => {
    const silent = await runs.verify(lines(left), erasing);
    expect(found(silent)).toEqual(missing);
    expect(silent.text).toContain('The files announce erasure records of this log that were not given.');
    expect(silent.logs).toMatchObject([{ note: expect.stringContaining('--erasures') }]);
    const given = await runs.verify(lines(left.slice(1)), erasing, { erasures: record });
    expect(found(given)).toEqual([['missing', 1, 1]]);
    expect(given.text).not.toContain('announce');
  });

  it('who removes the tiles passes no export, and leaves no finding', async () => {
    const untold = await runs.verify(lines(left), erasing, { erasures: record, ...NO_TILES });
    expect(untold).toMatchObject({ exitCode: 2, verified: false, findings: [], logs: [{ is_compared: false }] });
    expect(untold.text).toMatch(
      /cannot be used: give the folder or the address that has `tile\/` with --tiles \(ENOENT/,
    );
    expect(untold.text).toMatch(/\nCANNOT TELL: nothing was found wrong, [^\n]*\n$/);
    expect(await runs.verify(lines(left.slice(1)), erasing, { erasures: record, ...NO_TILES })).toMatchObject({
      exitCode: 1,
      counts: { missing: 1 },
    });
  });

  it('who forges a record is found', async () => {
    for (const forged of [record.replace('\n3-4\n', '\n3-5\n'), 'no record\n', erasing.checkpoint()]) {
      const result = await runs.verify(lines(left), erasing, { erasures: forged });
      expect(found(result)).toEqual([['forged_erasure', undefined, undefined], ...missing]);
    }
    const other = new TestLog('waybill.example.com', { seed: 'another key' });
    const unknown = await runs.verify(lines(left), erasing, { erasures: other.sign(recordText(erasing, [[3, 5]])) });
    expect(found(unknown)).toEqual([['unknown_key', undefined, undefined], ...missing]);
  });

  it('who gives a record of another log is found', async () => {
    const { log: other } = logOf(20, { destination: 'ed_2' });
    const foreign = other.sign(recordText(other, [[3, 5]]));
    const result = await runs.verify(lines(left), erasing, { erasures: `${record}${foreign}` });
    expect(found(result)).toEqual([['foreign_erasure', undefined, undefined]]);
  });

  it('who has the key and signs a record that names more than the event, or that no event has, is found', async () => {
    const more = erasing.sign(
      recordText(erasing, [
        [3, 6],
        [9, 10],
      ]),
    );
    const unannounced = ['unannounced_erasure', undefined, undefined];
    const hiding = await runs.verify(lines(left.toSpliced(3, 1)), erasing, { erasures: more });
    expect(found(hiding)).toEqual([unannounced, ['missing', 4, 6], ['missing', 10, 10]]);
    const silent = await runs.verify(lines(left.slice(0, -1)), erasing, { erasures: record });
    expect(found(silent)).toEqual([unannounced, ...missing, ['cut_at_the_end', 21, 21]]);
    // An event that no checkpoint covers, or of another destination, announces nothing.
    const late = changed(announcing, { integrity: { ...Object(announcing.integrity), index: 21 }, sequence: 22 });
    const early = await runs.verify(lines([...left.slice(0, -1), late]), erasing, { erasures: record });
    expect(found(early)).toEqual([unannounced, ...missing, ['cut_at_the_end', 21, 21]]);
    const { log: other, events: others } = logOf(3, { destination: 'ed_2' });
    const said = other.append(payload(3, { event_type: 'event_erasure_recorded.v0', object: { record: more } }));
    const notes = [other.checkpoint(), erasing.checkpoint()];
    const elsewhere = await runs.verify(lines([...left, ...others, said]), erasing, { notes, erasures: more });
    expect(found(elsewhere)).toEqual([unannounced, ...missing]);
  });

  it('who announces a record in a fabricated event is found', async () => {
    const more = erasing.sign(
      recordText(erasing, [
        [3, 5],
        [9, 10],
        [12, 13],
      ]),
    );
    const fabricated = changed(announcing, { object: { record: more } });
    const result = await runs.verify(lines([...left.toSpliced(9, 1).slice(0, -1), fabricated]), erasing, {
      erasures: more,
    });
    expect(found(result)).toEqual([['altered', 21, 21]]);
  });
});

describe('a verifier who demands a cosigner', () => {
  const cosigner = new TestCosigner();
  const second = new TestCosigner('cosigner.example.net');
  const small = logOf(12);
  const note = small.log.checkpoint();
  const demanding = (text: string, demanded: readonly string[], one = small) =>
    runs.verify(lines(one.events), one.log, { notes: [text], cosigners: demanded, ...NO_TILES });
  const demand = ['--cosigner', cosigner.vkey];
  const two = [...demand, '--cosigner', second.vkey];

  it('verifies what enough cosigners have signed, and reports when', async () => {
    const both = await demanding(second.cosign(cosigner.cosign(note)), two);
    expect(both).toMatchObject(clean);
    expect(both.text).toContain(`${small.log.origin}, 12 events, by cosigner.example.net at 2025-11-21T10:00:00.000Z`);
    const cosigned = cosigner.cosign(cosigner.cosign(note), 1_763_719_260);
    expect(await demanding(cosigned, demand)).toMatchObject({
      ...clean,
      cosignatures: [{ cosigner: 'cosigner.example.com', size: 12, cosigned_at: '2025-11-21T10:01:00.000Z' }],
    });
    expect(await demanding(cosigned, [...two, '--cosigners-needed', '1'])).toMatchObject(clean);
  });

  it('finds a second history that the real key has signed, as no cosigner has signed it', async () => {
    const fork = logOf(11);
    fork.events.push(fork.log.append(payload(11, { version: 0 })));
    const forked = await demanding(fork.log.checkpoint(), demand, fork);
    expect(found(forked)).toEqual([['not_cosigned', undefined, undefined]]);
    expect(forked).toMatchObject({ exitCode: 1, verified: false });
    // With the cosignature of the first history.
    const [line = ''] = cosigner.cosign(note).split('\n').slice(-2);
    const pasted = await demanding(`${fork.log.checkpoint()}${line}\n`, demand, fork);
    expect(found(pasted)).toEqual([['forged_checkpoint', undefined, undefined]]);
  });

  it('finds a cosignature by another key, and one with another time', async () => {
    const other = new TestCosigner('cosigner.example.com', 'another key');
    expect(found(await demanding(other.cosign(note), demand))).toEqual([['not_cosigned', undefined, undefined]]);
    const later = Buffer.from(cosigner.cosign(note).trim().split(' ').at(-1) ?? '', 'base64');
    later[11] = Number(later[11]) + 1;
    const changedTime = cosigner.cosign(note).replace(/\S+\n$/, `${later.toString('base64')}\n`);
    expect(found(await demanding(changedTime, demand))).toEqual([['forged_checkpoint', undefined, undefined]]);
    expect(found(await demanding(cosigner.cosign(note), two))).toEqual([['not_cosigned', undefined, undefined]]);
  });

  it('counts a key under two names once', async () => {
    const alias = new TestCosigner('alias.example.com', 'cosigner.example.com');
    const text = alias.cosign(cosigner.cosign(note));
    const aliased = [...demand, '--cosigner', alias.vkey];
    expect(found(await demanding(text, aliased))).toEqual([['not_cosigned', undefined, undefined]]);
  });
});

describe('an attacker of whom docs/proof.md says that nobody sees it', () => {
  it('changes, drops and adds events after the newest checkpoint', async () => {
    const { log: growing, events: sealed } = logOf(10);
    const notes = [growing.checkpoint()];
    const late = [growing.append(payload(10)), growing.append(payload(11))];
    const changedLate = lines([...sealed, changed(late[1], { version: 99 })]);
    const unseen = await runs.verify(changedLate, growing, { notes, ...NO_TILES });
    expect(unseen).toMatchObject({ ...clean, logs: [{ not_yet_sealed: 1 }] });
    expect(found(await runs.verify(changedLate, growing))).toEqual([
      ['missing', 11, 11],
      ['altered', 12, 12],
    ]);
  });

  it('rolls database, log and file back and lets them grow again, until an earlier checkpoint is given', async () => {
    const { log: first } = logOf(12);
    const { log: second, events: rewritten } = logOf(8);
    rewritten.push(...[8, 9, 10, 11, 12].map((at) => second.append(payload(at, { version: 99 }))));
    expect(await runs.verify(lines(rewritten), second)).toMatchObject(clean);
    const notes = [first.checkpoint(), second.checkpoint()];
    expect(found(await runs.verify(lines(rewritten), second, { notes }))).toEqual([
      ['forked_log', undefined, undefined],
    ]);
  });
});

describe('no random edit', () => {
  const small = logOf(12);
  const other = logOf(12, { destination: 'ed_2' });

  it('of the bytes of an export passes', async () => {
    const text = Buffer.from(lines(small.events));
    const meaning = (bytes: Uint8Array) => {
      try {
        const parsedLines = new TextDecoder()
          .decode(bytes)
          .split('\n')
          .filter((line) => line.trim() !== '');
        return meaningOf(parsedLines.map((line) => JSON.parse(line)));
      } catch {
        return null;
      }
    };
    const original = meaning(text);
    const edit = fc.tuple(fc.nat(text.length - 1), fc.nat(3), fc.uint8Array({ maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), fc.boolean(), async (edits, tiles) => {
        let bytes: Buffer = text;
        for (const [at, removed, added] of edits)
          bytes = Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);
        const { exitCode } = await runs.verify(bytes, small.log, { tiles });
        // White space and line breaks have no meaning.
        if (exitCode === 0) expect(meaning(bytes)).toBe(original);
        else expect(exitCode).toBe(1);
      }),
      { numRuns: RUNS },
    );
  });

  it('of the events of an export passes, and order and repeats alone do', async () => {
    const place = fc.nat(small.events.length - 1);
    const members = [
      'event_id',
      'event_type',
      'principal',
      'version',
      'object',
      'backfill',
      'epoch',
      'sequence',
      'new',
    ];
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, 1, 2, true, null, '', [], {}));
    /** An edit takes the events, and returns others. */
    const edit = fc.oneof(
      fc.tuple(place, fc.constantFrom(...members), value).map(
        ([at, member, to]) =>
          (all: readonly Event[]) =>
            all.map((event, index) => (index === at ? changed(event, { [member]: to }) : event)),
      ),
      fc.tuple(place, fc.constantFrom('log', 'index', 'salt'), value).map(
        ([at, member, to]) =>
          (all: readonly Event[]) =>
            all.map((event, index) =>
              index === at ? changed(event, { integrity: { ...Object(event.integrity), [member]: to } }) : event,
            ),
      ),
      place.map((at) => (all: readonly Event[]) => all.toSpliced(at, 1)),
      place.map((at) => (all: readonly Event[]) => all.slice(0, at)),
      place.map((at) => (all: readonly Event[]) => [...all.slice(at), ...all.slice(0, at)]),
      place.map((at) => (all: readonly Event[]) => [...all, ...all.slice(at, at + 1)]),
      place.map((at) => (all: readonly Event[]) => all.toSpliced(at, 1, other.events[at] ?? {})),
      fc.tuple(place, place).map(([at, to]) => (all: readonly Event[]) => {
        const target = all[to];
        return target === undefined
          ? all
          : all.map((event, index) => (index === at ? resequenced(event, target) : event));
      }),
    );
    const original = meaningOf(small.events);
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.boolean(), async (edits, tiles) => {
        let edited: readonly Event[] = small.events;
        for (const one of edits) edited = one(edited);
        const isSame = meaningOf(JSON.parse(JSON.stringify(edited))) === original;
        expect((await runs.verify(lines(edited), small.log, { tiles })).exitCode).toBe(isSame ? 0 : 1);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Returns the different events as one text, whatever their order. */
function meaningOf(all: readonly unknown[]): string {
  return JSON.stringify([...new Set(all.map((event) => canonicalJson(event)))].toSorted());
}
