import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  changed,
  erasedLog,
  falseCheckpoint,
  lines,
  logOf,
  payload,
  recordText,
  resequenced,
  streamedLog,
  TestRuns,
  unnumberedLine,
  type Event,
  type Result,
} from './command/testing.js';
import { commitmentOf, leafData } from './event/leaf.js';
import { CheckpointError, checkpointText, openCheckpoint } from './log/checkpoint.js';
import { cosignaturesOf } from './log/cosignature.js';
import { verifies } from './log/ed25519.js';
import { openErasure } from './log/erasure-record.js';
import { hashLeaf, rootOf } from './log/merkle.js';
import { noteKey, parseCosigner, parseVkey, vkeyOf } from './log/note-key.js';
import { consistencyRanges, inclusionRanges, isConsistent, rootOfInclusion } from './log/proofs.js';
import { signatures } from './log/testing.js';
import { canonicalJson } from './readers/canonical-json.js';
import { TestCosigner, TestLog } from './testing.js';

/** Names, values and proofs with which other programs verify. docs/proof.md describes them. */
const FILE = path.resolve(import.meta.dirname, '../../../docs/proof-vectors.json');

const runs = new TestRuns();
afterAll(() => runs.remove());

const hex = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('hex'));
const leaves = Array.from({ length: 40 }, (_, at) => hashLeaf(Buffer.from(`leaf ${at}`)));
const rootBetween = (start: number, end: number) => rootOf(Buffer.concat(leaves.slice(start, end)));

const canonical = [
  '{"b": [1, 2],\n "a": {"d": null, "c": true}}',
  '[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0, 0.1, 100, 1e2, -1.5e-7]',
  '[1e21, 999999999999999900000, 0.000001, 1e-7, 12345678901234567890, 5e-324, 1.7976931348623157e308]',
  '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/\\u007f\\b\\f\\t"',
  '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7,"":8,"10":9,"9":10}',
  '[[], {}, "", [[]], {"a": {}}]',
  '{"\\uDC00a": "\\ud83d\\ude00\\ud83d"}',
].map((text) => ({ text, form: canonicalJson(JSON.parse(text)) }));

const inclusions = [
  [0, 1],
  [0, 2],
  [2, 3],
  [4, 7],
  [6, 7],
  [39, 40],
  [11, 40],
].flatMap(([index = 0, size = 0]) => {
  const proof = inclusionRanges(index, size).map(([start, end]) => rootBetween(start, end));
  const of = (leaf: Uint8Array | undefined, hashes: readonly Uint8Array[]) => ({
    index,
    size,
    leaf_hash: hex(leaf ?? null),
    hashes: hashes.map(hex),
    root: hex(rootOfInclusion(leaf ?? new Uint8Array(), index, size, hashes)),
  });
  return [of(leaves[index], proof), ...(proof.length > 1 ? [of(leaves[index], proof.slice(1))] : [])];
});

const consistencies = [
  [1, 1],
  [1, 2],
  [2, 3],
  [4, 8],
  [6, 8],
  [7, 40],
  [32, 40],
].flatMap(([smaller = 0, size = 0]) => {
  const proof = consistencyRanges(smaller, size).map(([start, end]) => rootBetween(start, end));
  const [old, root] = [rootBetween(0, smaller), rootBetween(0, size)];
  const of = (oldRoot: Uint8Array) => ({
    smaller,
    smaller_root: hex(oldRoot),
    size,
    root: hex(root),
    hashes: proof.map(hex),
    valid: isConsistent({ size: smaller, root: oldRoot }, { size, root }, proof),
  });
  return [of(old), of(hashLeaf(old))];
});

const { log, events } = logOf(7, undefined, 3);
const note = log.checkpoint();
const [first = {}, second = {}, third = {}] = events;

function leafOf(event: Event) {
  const { epoch: _, sequence, backfill, integrity, ...rest } = event;
  const commitment = commitmentOf(Buffer.from(Object(integrity).salt, 'hex'), rest);
  const data = leafData({ sequence: Number(sequence), isBackfill: backfill === true, commitment });
  return { event: JSON.stringify(event), commitment: hex(commitment), leaf: hex(data), leaf_hash: hex(hashLeaf(data)) };
}

function checkpointOf(name: string, text: string, vkey = log.vkey) {
  const of = { name, note: text, vkey };
  try {
    const { origin, size, root } = openCheckpoint(text, [parseVkey(vkey)]);
    return { ...of, origin, size, root: hex(root) };
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    return { ...of, fault: error.fault };
  }
}

const other = new TestLog('waybill.example.com', { seed: 'another key' });
const evil = new TestLog('waybill.example.com.evil', { destination: 'ed_1' });
const keys = [parseVkey(log.vkey)];
const shorter = checkpointText({ origin: log.origin, size: 6, root: hashLeaf(Buffer.from('6')) });
const signatureLine = note.slice(note.indexOf('\n\n') + 2);
const checkpoints = [
  checkpointOf('signed', note),
  checkpointOf('with the key of the log', note, vkeyOf(noteKey(log.origin, parseVkey(log.vkey).publicKey))),
  checkpointOf('with another signature before', note.replace('\n\n', `\n\n${other.checkpoint().split('\n\n')[1]}`)),
  checkpointOf('by another key', note, other.vkey),
  checkpointOf('of a log whose name only begins in the same way', evil.checkpoint()),
  checkpointOf('with another size', note.replace('\n7\n', '\n8\n')),
  checkpointOf('with the signature of another checkpoint', `${shorter}\n${signatureLine}`),
  checkpointOf('with a size that begins with a zero', note.replace('\n7\n', '\n07\n')),
  checkpointOf('without a signature', note.slice(0, note.indexOf('\n\n') + 1)),
  checkpointOf('with a carriage return', note.replace('\n', '\r\n')),
  checkpointOf('with a size of 2^53', log.sign(checkpointText({ ...openCheckpoint(note, keys), size: 2 ** 53 }))),
  checkpointOf('with a space in the origin', log.sign(shorter.replace('ed_1', 'ed 1'))),
  checkpointOf('with 100 signatures', `${note}${'— name AAAAAAAA\n'.repeat(99)}`),
  checkpointOf('with 101 signatures', `${note}${'— name AAAAAAAA\n'.repeat(100)}`),
  ...['', '+', '\u2003', '\u2028', '\u0085', '\ufeff'].map((name) =>
    checkpointOf(`with a key whose name is "${encodeURIComponent(name)}"`, `${note}— ${name} AAAAAAAA\n`),
  ),
];

const cosigner = new TestCosigner();
const otherCosigner = new TestCosigner('cosigner.example.net');

function cosignaturesIn(
  name: string,
  text: string,
  cosigners: readonly string[] = [cosigner.vkey, otherCosigner.vkey],
) {
  const of = { name, note: text, cosigners };
  try {
    const found = cosignaturesOf(
      text,
      cosigners.map((vkey) => parseCosigner(vkey)),
    );
    return { ...of, times: Object.fromEntries(found.map(({ key, time }) => [key.name, time])) };
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    return { ...of, fault: error.fault };
  }
}

const erased = erasedLog();
const record = recordText(erased.log, [
  [3, 5],
  [9, 10],
]);

function erasureOf(name: string, text: string, vkey = erased.log.vkey) {
  const of = { name, note: text, vkey };
  try {
    const { origin, erasureId, at, ranges } = openErasure(text, [parseVkey(vkey)]);
    return { ...of, origin, erasure: erasureId, at, ranges: ranges.map(([start, end]) => [start, end - 1]) };
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    return { ...of, fault: error.fault };
  }
}

const cosigned = cosigner.cosign(note);
const cosignatures = [
  cosignaturesIn('none', note),
  cosignaturesIn('of one', cosigned),
  cosignaturesIn('of two', otherCosigner.cosign(cosigned, 1_763_719_260)),
  cosignaturesIn('of another time', cosigner.cosign(cosigned, 1_763_719_320)),
  cosignaturesIn('of a cosigner that is not given', otherCosigner.cosign(cosigned), [cosigner.vkey]),
  cosignaturesIn('by another key', new TestCosigner('cosigner.example.com', 'another key').cosign(note)),
  cosignaturesIn(
    'of one key with two names',
    new TestCosigner('alias.example.com', 'cosigner.example.com').cosign(note),
    [cosigner.vkey],
  ),
  cosignaturesIn('of another checkpoint', `${note}${cosigner.cosign(other.checkpoint()).trim().split('\n').at(-1)}\n`),
  cosignaturesIn('of the latest time', cosigner.cosign(note, 8_640_000_000_000)),
  cosignaturesIn('of a later time', cosigner.cosign(note, 8_640_000_000_001)),
];

const erasureRecords = [
  erasureOf('signed', erased.record),
  erasureOf('by another key', erased.record, other.vkey),
  erasureOf('with another range', erased.record.replace('\n3-4\n', '\n3-5\n')),
  erasureOf('that is a checkpoint', erased.log.checkpoint()),
  ...Object.entries({
    'without a range': record.replace(/\n3-4\n9\n$/, '\n'),
    'with ranges that touch': record.replace('\n9\n', '\n5\n'),
    'with ranges in another order': record.replace('3-4\n9', '9\n3-4'),
    'with a range of one index': record.replace('3-4', '3-3'),
    'with a number that begins with a zero': record.replace('3-4', '03-4'),
    'with a number of 16 digits': record.replace('\n9\n', `\n${'9'.repeat(16)}\n`),
    'with a time in seconds': record.replace('.000Z', 'Z'),
  }).map(([name, text]) => erasureOf(name, erased.log.sign(text))),
];

/** Verifies an export with the tiles of its log, and with erasure records. */
async function tiledExportOf(name: string, text: string, of: TestLog, erasures = '') {
  const checkpoint = of.checkpoint();
  const result = await runs.verify(text, of, { notes: [checkpoint], erasures });
  const tiles = Object.fromEntries([...of.tiles].map(([path_, hashes]) => [path_, hex(hashes)]));
  return { ...vectorOf(name, text, [checkpoint], result), erasures, tiles, erased: result.logs[0]?.erased ?? 0 };
}

const erasedExportOf = (name: string, text: string, erasures: string) =>
  tiledExportOf(name, text, erased.log, erasures);

/** Verifies an export without tiles. */
async function exportOf(name: string, text: string, notes: readonly string[] = [note]) {
  return vectorOf(name, text, notes, await runs.verify(text, log, { notes: [...notes], tiles: false }));
}

function vectorOf(name: string, text: string, notes: readonly string[], { verified, findings, unnumbered }: Result) {
  const found = findings.map(({ verdict, sequence = null, last_sequence: last = sequence }) => [
    verdict,
    sequence,
    last,
  ]);
  const sorted = found.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    name,
    lines: text.split('\n').filter(Boolean),
    checkpoints: notes,
    vkey: log.vkey,
    verified,
    findings: sorted,
    ...(unnumbered > 0 && { unnumbered }),
  };
}

/** Returns an export that holds a checkpoint of a key that is not given. */
function otherHolder(): [text: string, notes: readonly string[]] {
  const one = streamedLog(() => other.checkpoint());
  return [lines(one.events), [one.log.checkpoint()]];
}

it('the vectors of the specification are what the package computes', async () => {
  const { log: grown, events: all } = logOf(7, undefined, 3);
  all.push(grown.append(payload(7)));
  const destination = logOf(3, { destination: 'ed_2' });
  const epoch = logOf(2, { epoch: 5 }, 10);
  const fork = logOf(6, undefined, 3).log;
  fork.append(payload(6, { version: 0 }));
  const inData = (text: string) => ({ Data: Buffer.from(text).toString('base64') });
  const intact = JSON.stringify(third);
  const pending = unnumberedLine(third);
  const hiding = {
    'whose sequence is text, and the intact one in message': { sequence: '5', message: intact },
    'whose epoch is text, and the intact one in Data': { epoch: '1', ...inData(intact) },
    'without an id, and the intact one in body': { event_id: undefined, body: intact },
  };
  const forged = JSON.stringify(changed(third, { version: 9 }));
  const twice = (name: string, one: string, two: string) =>
    lines(events).replace(intact, `{"${name}":${JSON.stringify(one)},"${name}":${JSON.stringify(two)}}`);
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const exports = await Promise.all([
    exportOf('whole', lines(events)),
    exportOf('in another form and order', events.toReversed().map(canonicalJson).join('\n\n')),
    exportOf('with repeats', lines([...events, first, second])),
    exportOf('with an event after the checkpoint', lines(all)),
    exportOf(
      'with an altered repeat whose index is after the checkpoint',
      lines([...all, changed(third, { version: 9, integrity: { ...Object(third.integrity), index: 99 } })]),
    ),
    exportOf(
      'of Waybill',
      lines(events.map((event) => ({ ...event, delivery: { destination_id: 'ed_1', projected: false } }))),
    ),
    exportOf('of Waybill, with an event that has no number yet', lines([...events, pending])),
    exportOf('of Waybill, with an event that has integrity alone', lines([...events, { ...pending, integrity: {} }])),
    exportOf('of two epochs', lines([...events, ...epoch.events]), [note, epoch.log.checkpoint()]),
    exportOf('without an event', lines(events.toSpliced(2, 1))),
    exportOf('cut at the end', lines(events.slice(0, 5))),
    exportOf('of nothing', ''),
    exportOf('altered', lines(events.with(2, changed(third, { version: 9 })))),
    exportOf('with an altered repeat', lines([...events, changed(third, { version: 9 })])),
    exportOf('with a member that is there twice', lines(events).replace('"version":2', '"version":9,"version":2')),
    exportOf(
      'with a member in integrity',
      lines(events.with(2, changed(third, { integrity: { ...Object(third.integrity), a: 1 } }))),
    ),
    exportOf(
      'with a salt in capital letters',
      lines(events.with(2, changed(third, { integrity: { ...Object(third.integrity), salt: 'A'.repeat(32) } }))),
    ),
    exportOf('with another epoch', lines(events.with(2, changed(third, { epoch: 2 })))),
    exportOf(
      'with an epoch that the log has in another form',
      lines(events.with(2, changed(third, { integrity: { ...Object(third.integrity), log: `${log.origin}.0` } }))),
    ),
    exportOf('with another sequence', lines(events.with(2, changed(third, { sequence: 4 })))),
    exportOf('with backfill that is false', lines(events.with(2, changed(third, { backfill: false })))),
    exportOf('with an event without integrity', lines(events.with(2, changed(third, { integrity: undefined })))),
    exportOf('with events of another destination', lines([...events, ...destination.events])),
    exportOf('with events of another epoch', lines([...events, ...epoch.events])),
    exportOf('with a broken line', `${lines(events)}{"event_id":\n`),
    exportOf('of Kinesis', lines(events.map((event) => inData(JSON.stringify(event))))),
    ...Object.entries({
      'without padding': (data: string) => data.replace(/=+$/, ''),
      'with a character that is not in the alphabet': (data: string) => `*${data}`,
    }).map(([how, change]) =>
      exportOf(`of Kinesis, with Data ${how}`, lines(events.with(2, { Data: change(inData(`${intact} `).Data) }))),
    ),
    exportOf('of CloudWatch', lines(events.map((event) => ({ message: JSON.stringify(event) })))),
    exportOf(
      'altered, with the intact event in Data',
      lines(events.with(2, changed(third, { version: 9, ...inData(intact) }))),
    ),
    ...Object.entries(hiding).map(([name, members]) =>
      exportOf(`with an event ${name}`, lines(events.with(2, changed(third, { version: 9, ...members })))),
    ),
    exportOf(
      'with an event whose sequence is text in message, and the intact one in body',
      lines(events.with(2, { message: changed(third, { sequence: '5' }), body: intact })),
    ),
    exportOf('with two messages in a line', twice('message', forged, intact)),
    exportOf('with two Data in a line', twice('Data', inData(forged).Data, inData(intact).Data)),
    exportOf(
      'with two messages in a message',
      lines(events.with(2, { message: twice('message', forged, intact).split('\n')[2] })),
    ),
    exportOf(
      'with integers in other forms',
      lines(events).replaceAll(/"(sequence|epoch|index|version)":(\d+)/g, '"$1":$2.0e0'),
    ),
    exportOf('with a sequence that is no integer', lines(events).replace('"sequence":5', '"sequence":5.5')),
    exportOf('with a number that no double holds', lines(events).replace('"version":2', '"version":1e999')),
    exportOf(
      'with an integer that no double holds',
      lines(events).replace('"version":2', `"version":${'9'.repeat(400)}`),
    ),
    exportOf('nested too deeply', lines(events.with(2, changed(third, { object: nested(100) })))),
    exportOf('nested too deeply beside a message', lines(events.with(2, { message: intact, tags: nested(100) }))),
    exportOf('nested as deeply as it may be', lines(events.with(2, { message: intact, tags: nested(99) }))),
    exportOf('with two checkpoints', lines(all), [note, grown.checkpoint()]),
    exportOf('of a forked log', lines(events), [fork.checkpoint(), note]),
    exportOf('with a forged checkpoint', lines(events), [note.replace('\n7\n', '\n6\n')]),
    exportOf('with a checkpoint of another key', lines(events), [other.checkpoint()]),
  ]);
  const streamed = streamedLog();
  const streamedEvents = streamed.events;
  const [, , , fourth = {}, , , holder = {}] = streamedEvents;
  const early = logOf(4, undefined, 3).log;
  early.append(payload(99));
  const late = logOf(5, undefined, 3).log;
  for (let at = 5; at < 10; at += 1) late.append(payload(99));
  const { checkpoint: held } = Object(holder.object);
  const root = openCheckpoint(held, [parseVkey(log.vkey)]).root;
  const withHeld = (text: string) => lines(streamedEvents.with(6, changed(holder, { object: { checkpoint: text } })));
  const streamedExports = await Promise.all([
    exportOf('that holds a checkpoint', lines(streamedEvents), [streamed.log.checkpoint()]),
    exportOf('that holds a checkpoint of another key', ...otherHolder()),
    exportOf('that holds a checkpoint of another tree than a later one', lines(streamedEvents), [late.checkpoint()]),
    exportOf('that holds a checkpoint of another tree than an earlier one', lines(streamedEvents), [
      early.checkpoint(),
    ]),
    exportOf('with a checkpoint of another size', lines(streamedEvents), [falseCheckpoint(streamed.log, { size: 12 })]),
    exportOf('with a checkpoint that has the root of an earlier one', lines(streamedEvents), [
      falseCheckpoint(streamed.log, { root }),
    ]),
    exportOf('that holds a forged checkpoint', withHeld(held.replace('\n6\n', '\n5\n')), [streamed.log.checkpoint()]),
    exportOf('that holds a checkpoint with a lone surrogate', withHeld(held.replace('\n\n', '\n\ud800\n\n')), [
      streamed.log.checkpoint(),
    ]),
    exportOf(
      'altered after the checkpoint, and before one that it holds',
      lines(streamedEvents.with(3, changed(fourth, { version: 9 }))),
      [logOf(2, undefined, 3).log.checkpoint()],
    ),
    exportOf(
      'with altered repeats after the checkpoint, one of them before a checkpoint that it holds',
      lines([...streamedEvents, ...[3, 7].map((at) => changed(streamedEvents[at], { version: 9 }))]),
      [logOf(2, undefined, 3).log.checkpoint()],
    ),
  ]);
  const [, , , next = {}] = events;
  const swapped = events.with(2, resequenced(next, third)).with(3, resequenced(third, next));
  const altered = changed(third, { version: 9 });
  const large = logOf(304);
  const [start = {}] = large.events;
  const [last = {}, end = {}] = large.events.slice(-2);
  const tiledExports = await Promise.all([
    tiledExportOf('altered', lines(events.with(2, altered)), log),
    tiledExportOf('with exchanged sequences', lines(swapped), log),
    tiledExportOf(
      'with exchanged sequences after 301 absent ones',
      lines([start, resequenced(end, last), resequenced(last, end)]),
      large.log,
    ),
    tiledExportOf('with an altered repeat before', lines([altered, ...events]), log),
    tiledExportOf('altered, and without another event', lines(events.with(2, altered).toSpliced(5, 1)), log),
    tiledExportOf('that holds a checkpoint of another tree than a later one', lines(streamedEvents), late),
  ]);
  const { left, events: all21, announcing } = erased;
  const more = erased.log.sign(
    recordText(erased.log, [
      [3, 6],
      [9, 10],
    ]),
  );
  const foreign = destination.log.sign(recordText(destination.log, [[0, 1]]));
  const forgedRecord = erased.record.replace('\n9\n', '\n9-10\n');
  const erasedExports = await Promise.all([
    erasedExportOf('with erased events', lines(left), erased.record),
    erasedExportOf('with erased events, of nothing else', lines([announcing]), erased.record),
    erasedExportOf('with a record of events that are there', lines(all21), erased.record),
    erasedExportOf('with erased events, and no record', lines(left), ''),
    erasedExportOf('with a forged record', lines(left), forgedRecord),
    erasedExportOf('with a record of another log', lines(left), `${erased.record}${foreign}`),
    erasedExportOf('with a record that names more than its event', lines(left.toSpliced(3, 1)), more),
    erasedExportOf('with a record that no event has', lines(left.slice(0, -1)), erased.record),
    erasedExportOf('with a record of an unknown key', lines(left), other.sign(record)),
  ]);
  const vectors = {
    canonical_json: canonical,
    leaves: [first, second, events[4] ?? {}].map(leafOf),
    roots: Array.from({ length: 40 }, (_, at) => ({
      leaves: 'leaf 0 … leaf n-1',
      size: at + 1,
      root: hex(rootBetween(0, at + 1)),
    })).filter(({ size }) => size <= 9 || size === 32 || size === 40),
    inclusion_proofs: inclusions,
    consistency_proofs: consistencies,
    signatures: signatures().map(({ name, publicKey, message, signature }) => ({
      name,
      public_key: hex(publicKey),
      message: hex(message),
      signature: hex(signature),
      valid: verifies(publicKey, message, signature),
    })),
    checkpoints,
    cosignatures,
    erasure_records: erasureRecords,
    exports: [...exports, ...streamedExports],
    exports_with_tiles: [...tiledExports, ...erasedExports],
  };
  // A vector a line.
  const sections = Object.entries(vectors).map(
    ([name, list]) => `${JSON.stringify(name)}: [\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]`,
  );
  await expect(`{\n${sections.join(',\n')}\n}\n`).toMatchFileSnapshot(FILE);
});
