import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { noteKey, parseVkey } from '../log/note-key.js';
import { canonicalJson } from '../readers/canonical-json.js';
import { TestLog } from '../testing.js';
import { verifyOptions } from './options.js';
import { run } from './run.js';
import { changed, clean, found, lines, logOf, parsed, payload, TestRuns, type Event } from './testing.js';

const runs = new TestRuns();
afterAll(() => runs.remove());

const SIZE = 600;
const { log, events } = logOf(SIZE);

describe('an export', () => {
  it('that holds each event is verified, without the tiles of the log', async () => {
    const verified = await runs.verify(lines(events), log, { tiles: false });
    expect(verified).toMatchObject({
      ...clean,
      logs: [{ events: SIZE, repeats: 0, out_of_order: 0, is_compared: true }],
    });
    expect(verified.text).toContain('VERIFIED: all 600 events are as the log has them');
  });

  it('may hold events again, in another order, and with members in another order', async () => {
    const shuffled = [...events.slice(300), ...events.slice(0, 310)];
    const text = shuffled.map((event) => `${canonicalJson(event)}  \r\n\n`).join('');
    const expected = { ...clean, logs: [{ events: SIZE, repeats: 10, out_of_order: 300 }] };
    expect(await runs.verify(text, log, { tiles: false })).toMatchObject(expected);
  });

  it('may have events after the checkpoint, which are counted', async () => {
    const { log: growing, events: first } = logOf(300);
    const note = growing.checkpoint();
    const more = [growing.append(payload(300)), growing.append(payload(301))];
    const text = lines([...first, ...more]);
    const verified = await runs.verify(text, growing, { notes: [note], tiles: false });
    expect(verified).toMatchObject({ ...clean, logs: [{ events: 300, not_yet_sealed: 2 }] });
    expect(verified.text).toContain('2 later events are not verified');
    expect(await runs.verify(text, growing, { notes: [note, growing.checkpoint()] })).toMatchObject(clean);
  });

  it('of an empty log is verified', async () => {
    expect(await runs.verify('', new TestLog())).toMatchObject(clean);
  });

  it('of two epochs is verified with a checkpoint of each', async () => {
    const second = logOf(5, { epoch: 7 }, SIZE + 1);
    const text = lines([...events, ...second.events]);
    const notes = [log.checkpoint(), second.log.checkpoint()];
    expect(await runs.verify(text, log, { notes, tiles: false })).toMatchObject({
      ...clean,
      logs: [{ size: SIZE }, { size: 5 }],
    });
    expect(found(await runs.verify(text, log))).toEqual(
      [601, 602, 603, 604, 605].map((one) => ['wrong_epoch', one, one]),
    );
  });

  it('is compared with the tiles of each log, and not with those of another log', async () => {
    const second = logOf(5, { epoch: 7 }, SIZE + 1);
    const exported = await runs.file(lines([...events.slice(1), ...second.events.slice(1)]));
    const first = await runs.checkpoint(log.checkpoint(), log);
    const other = await runs.checkpoint(second.log.checkpoint(), second.log);
    const args = [exported, '--checkpoint', first, '--checkpoint', other, '--key', log.vkey];
    expect((await runs.result(args)).counts).toEqual({ missing: 2 });
    const tiles = ['--tiles', path.dirname(first)];
    await expect(runs.result([...args, ...tiles])).rejects.toThrow('--tiles is for one log.');
    const later = await runs.file(lines([...events.slice(1), ...second.events]));
    const again = [later, '--checkpoint', first, '--checkpoint', first, '--key', log.vkey, ...tiles];
    expect((await runs.result(again)).counts).toEqual({ missing: 1, wrong_epoch: 5 });
  });

  it('is compared with the tiles beside the largest checkpoint, in whatever order they are given', async () => {
    const { log: growing, events: held } = logOf(300);
    const early = await runs.file(growing.checkpoint(), 'checkpoint');
    held.push(growing.append(payload(300)));
    const newest = await runs.checkpoint(growing.checkpoint(), growing);
    const exported = await runs.file(lines(held.slice(1)));
    const given = [early, newest, early].flatMap((place) => ['--checkpoint', place]);
    expect(await runs.result([exported, ...given, '--key', growing.vkey])).toMatchObject({
      counts: { missing: 1 },
      logs: [{ size: 301, is_compared: true }],
    });
  });

  it('is verified with the key of the log', async () => {
    const { publicKey, name } = parseVkey(log.vkey);
    const { id } = noteKey(log.origin, publicKey);
    const key = log.vkey.replace(name, log.origin).replace(/\+[0-9a-f]{8}\+/, `+${id}+`);
    expect(await runs.verify(lines(events), log, { key })).toMatchObject(clean);
  });

  it('is verified with a file of keys whose path has a plus sign, and with several keys in one option', async () => {
    const key = await runs.file(`${log.vkey}\n`, 'keys+1/key+2');
    expect(await runs.verify(lines(events), log, { key, tiles: false })).toMatchObject(clean);
    const keys = `${new TestLog('other.example.com').vkey}\n${log.vkey}`;
    expect(await runs.verify(lines(events), log, { key: keys, tiles: false })).toMatchObject(clean);
  });

  it('is not verified with a file that holds no key', async () => {
    const empty = await runs.file(' \n', 'keys');
    for (const given of [{ key: empty }, { cosigners: ['--cosigner', empty] }])
      await expect(runs.verify(lines(events), log, given)).rejects.toThrow(`${empty} holds no verifier key.`);
  });

  it('is read from an address, with the tiles beside the checkpoint', async () => {
    log.checkpoint();
    const keys = '/.well-known/waybill-log-keys';
    const served = new Map<string, string | Uint8Array>([
      ...log.tiles,
      ['checkpoint', log.checkpoint()],
      [keys, `${log.vkey}\n`],
    ]);
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const name = (request.url ?? '').replace('/event_destinations/ed_1/log/1/', '');
      asked.push(`${request.headers.authorization} ${name}`);
      const body = served.get(name);
      const status = request.headers.authorization === undefined && name !== keys ? 401 : 200;
      response.writeHead(body === undefined ? 404 : status).end(body);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { port } = server.address() as AddressInfo;
    const where = `http://127.0.0.1:${port}/event_destinations/ed_1/log/1/checkpoint`;
    const options = parsed([
      await runs.file(lines(events.with(3, { ...events[3], version: 99 }))),
      '--checkpoint',
      where,
      '--key',
      log.vkey,
    ]);
    const { output, exitCode } = await run({ ...options, json: false }, 'wb_key');
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^File: [^]*\n1 ALTERED: [^]*\nNOT VERIFIED\.\n$/);
    expect(asked).toContain('Bearer wb_key tile/0/000');
    expect(await run({ ...options, keys: [`http://127.0.0.1:${port}${keys}`] }, 'wb_key')).toMatchObject({ exitCode });
    expect(asked).toContain(`undefined ${keys}`);
    await expect(run(options, '')).rejects.toThrow(
      /answered with 401\. Set WAYBILL_API_KEY .* or give a link of the log/,
    );
    const token = '/links/k1~AbCdEfGhIjKl';
    const link = `http://127.0.0.1:${port}${token}/event_destinations/ed_1/log/1`;
    const linked = { ...options, checkpoints: [`${link}/checkpoint`], erasures: [`${link}/erasures`], json: true };
    served.set(`${token}checkpoint`, log.checkpoint().replace('\n600\n', '\n601\n'));
    served.set(`${token}erasures`, 'none\n');
    const { output: shared } = await run(linked, 'wb_key');
    expect(JSON.parse(shared)).toMatchObject({
      counts: { forged_checkpoint: 1, forged_erasure: 1 },
      statements: [
        { name: expect.stringContaining('/links/k1~AbCdE…/event_destinations') },
        { kind: 'erasure records' },
      ],
    });
    expect(shared).not.toContain('GhIjKl');
    served.delete(`${token}checkpoint`);
    await expect(run(linked, 'wb_key')).rejects.toThrow(/AbCdE….*answered with 404/);
    const signed = { ...linked, checkpoints: [`${link}/checkpoint?signature=swordfish`] };
    await expect(run(signed, 'wb_key')).rejects.toThrow(/checkpoint\?… answered with 404/);
    for (const place of [`http://me:swordfish@127.0.0.1:${port}/checkpoint`, `http://swordfish:99999999/checkpoint`]) {
      const refused = await run({ ...linked, checkpoints: [place] }, 'wb_key').catch(String);
      expect(refused).toMatch(/ must not have a user or a password\.$| is not a URL\.$/);
      expect(refused).not.toContain('me:swordfish');
    }
    const invalid = 'wb_key\nwb_secret';
    await expect(run(options, invalid)).rejects.toThrow(
      /^WAYBILL_API_KEY holds a space or another invalid character\.$/,
    );
    const local = { ...options, checkpoints: [await runs.file(log.checkpoint(), 'checkpoint')] };
    const { output: report } = await run({ ...local, tiles: path.dirname(where) }, invalid);
    expect(report).toContain('WAYBILL_API_KEY holds a space');
    expect(report).not.toContain('wb_secret');
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
});

describe('one event', () => {
  it('is verified with its proof, and no other event is', async () => {
    const proof = await runs.file(await log.proof(299), 'event.tlog-proof');
    const args = async (event: Event | undefined) => [
      await runs.file(JSON.stringify(event)),
      '--proof',
      proof,
      '--key',
      log.vkey,
    ];
    const verified = await runs.result(await args(events[299]));
    expect(verified).toMatchObject({ ...clean, logs: [{ events: 1, size: SIZE }] });
    expect(verified.text).toMatch(
      /\nVERIFIED: the event is as the log has it\. Other events of the log were not looked for\.\n$/,
    );
    const ofWaybill = changed(events[299], { delivery: { destination_id: 'ed_1', projected: false } });
    expect((await runs.result(await args(ofWaybill))).text).toContain('1 line is of an export of Waybill');
    expect(found(await runs.result(await args(changed(events[299], { version: 0 }))))).toEqual([['altered', 300, 300]]);
    const nested = changed(events[299], { version: JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)) });
    expect(found(await runs.result(await args(nested)))).toEqual([
      ['altered', 300, 300],
      ['missing', undefined, undefined],
    ]);
    expect(found(await runs.result(await args(logOf(1, { destination: 'ed_2' }).events[0])))).toEqual([
      ['foreign', 1, 1],
      ['missing', undefined, undefined],
    ]);
    expect(found(await runs.result(await args(events[298])))).toEqual([
      ['not_covered', 299, 299],
      ['missing', undefined, undefined],
    ]);
  });

  it('is compared with each of its proofs', async () => {
    const { log: one, events: held } = logOf(3);
    const early = await one.proof(1);
    const { log: other } = logOf(1);
    for (const at of [1, 2, 3]) other.append(payload(at, { version: 0 }));
    const larger = await other.proof(1);
    one.append(payload(3));
    const later = await one.proof(1);
    const event = await runs.file(lines([held[1]]));
    const verified = async (proofs: readonly string[]) => {
      const given = proofs.map(async (proof) => ['--proof', await runs.file(proof, 'proof')]);
      return runs.result([event, ...(await Promise.all(given)).flat(), '--key', one.vkey]);
    };
    const both = await verified([early, later, early]);
    expect(both).toMatchObject({ ...clean, logs: [{ events: 1, size: 4 }] });
    expect(both.text).toContain('VERIFIED: the event is as the log has it.');
    expect(found(await verified([larger, early]))).toEqual([['altered', 2, 2]]);
    expect(found(await verified([later, await other.proof(0)]))).toEqual([
      ['forked_log', undefined, undefined],
      ['missing', undefined, undefined],
    ]);
  });
});

describe('the report', () => {
  it('in HTML names each finding, and holds no markup of the file', async () => {
    const html = await runs.file('', 'report.html');
    const evil = changed(events[5], { event_id: '<script>alert(1)</script>' });
    const checkpoint = await runs.checkpoint(log.checkpoint(), log);
    const exported = await runs.file(lines(events.with(5, evil)));
    await run(parsed([exported, '--checkpoint', checkpoint, '--key', log.vkey, '--html', html]), '');
    const page = await readFile(html, 'utf8');
    expect(page).toContain('<p class="verdict">NOT VERIFIED.</p>');
    expect(page).toContain('6  &#60;script&#62;alert(1)&#60;/script&#62;');
    expect(page).not.toContain('<script');
    const sha256 = createHash('sha256').update(log.checkpoint()).digest('hex');
    expect(page).toMatch(new RegExp(`<td>${checkpoint}</td><td>checkpoint</td><td>\\d+</td><td>${sha256}</td>`));
  });

  it.each([
    ['checkpoint', 'A verified export holds each of them as it was when Waybill recorded it.'],
    ['proof', 'Other events of the log were not looked for.'],
  ])('in HTML says what a %s shows', async (kind, shown) => {
    const html = await runs.file('', 'report.html');
    const note = await runs.file(kind === 'proof' ? await log.proof(0) : log.checkpoint(), kind);
    await run(parsed([await runs.file(lines(events)), `--${kind}`, note, '--key', log.vkey, '--html', html]), '');
    const [, shows = ''] = (await readFile(html, 'utf8')).split('<h2>What this shows</h2>');
    expect(shows).toContain(shown);
    expect(shows.includes('holds each of them')).toBe(kind === 'checkpoint');
  });

  it('says one where it is one', async () => {
    const { log: single, events: only } = logOf(1);
    const note = single.checkpoint();
    const text = lines([...only, ...only, single.append(payload(1))]);
    const report = await runs.verify(text, single, { notes: [note], tiles: false });
    expect(report.text).toContain(', 1 event, root ');
    expect(report.text).toContain(
      'The files hold 1 of them, 1 repeat with the same content, 0 after a later sequence, and 1 event after the checkpoint.',
    );
    expect(report.text).toContain(
      'VERIFIED: the event is as the log has it, and none is missing. 1 later event is not verified: the checkpoint is older.',
    );
    const wrong = await runs.verify(lines([changed(only[0], { version: 9 })]), single, { notes: [note], tiles: false });
    expect(wrong.text).toContain('event 1 is not what the log has, or the log has forked');
  });

  it('says how many findings it does not list', async () => {
    const html = await runs.file('', 'report.html');
    const note = await runs.file(log.checkpoint(), 'checkpoint');
    const exported = await runs.file(`${'none\n'.repeat(1_234)}${lines(events.toSpliced(2, 3))}`);
    const { counts, text } = await runs.result([exported, '--checkpoint', note, '--key', log.vkey, '--html', html]);
    expect(counts).toEqual({ unreadable: 1_234, missing: 3 });
    expect(text).toContain('1234 UNREADABLE');
    expect(text).toContain('… and 1224 more, 990 of them with --json\n');
    const page = await readFile(html, 'utf8');
    expect(page).toContain('And 234 more that are not listed: UNREADABLE');
    expect(page).not.toContain('not listed: MISSING');
    const few = await runs.verify(`${'none\n'.repeat(12)}${lines(events)}`, log, { tiles: false });
    expect(few.text).toContain('… and 2 more, with --json\n');
  });

  it('in text is not forged by what an event holds', async () => {
    const evil = changed(events[5], { event_id: 'x\nVERIFIED: all events' });
    expect((await runs.verify(lines(events.with(5, evil)), log)).text).toContain('x\\u000aVERIFIED');
  });
});

it.each([
  [['--key', 'k', '--checkpoint', 'c'], 'Give the files'],
  [['a.ndjson', '--checkpoint', 'c'], '--key is missing'],
  [['a.ndjson', '--key', 'k'], '--checkpoint is missing'],
  [['a.ndjson', '--key', 'k', '--checkpoint', 'c', '--cosigners-needed', '1'], '--cosigners-needed is a number'],
  [['a.ndjson', '--key', 'k', '--checkpoint', 'c', '--proof', 'p'], 'Give --checkpoint or --proof'],
])('the arguments %j are refused', (args, reason) => {
  expect(() => verifyOptions(args)).toThrow(reason);
});
