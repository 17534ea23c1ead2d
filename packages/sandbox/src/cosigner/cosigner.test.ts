import {
  consistencyRanges,
  cosignaturesOf,
  hashLeaf,
  openCheckpoint,
  parseCosigner,
  parseVkey,
  rootOf,
} from '@waybill/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestLog } from '../../../verify/src/testing.js';
import type { Sandbox } from '../sandbox-contract.js';
import { startSandbox } from '../start-sandbox.js';
import { isConsistent } from './consistency.js';

const leaves = Array.from({ length: 33 }, (_, at) => hashLeaf(Buffer.from(`leaf ${at}`)));
const rootBetween = (start: number, end: number) => Buffer.from(rootOf(Buffer.concat(leaves.slice(start, end))));
const headOf = (size: number) => ({ size, root: rootBetween(0, size) });
const proofOf = (smaller: number, size: number) =>
  consistencyRanges(smaller, size).map(([start, end]) => rootBetween(start, end));

it('accepts the consistency proofs of all trees, and no changed one', () => {
  for (let size = 1; size <= leaves.length; size += 1)
    for (let smaller = 1; smaller <= size; smaller += 1) {
      const proof = proofOf(smaller, size);
      expect(isConsistent(headOf(smaller), headOf(size), proof)).toBe(true);
      const wrong = proof.flatMap((hash, at) => [
        proof.with(at, Buffer.from(hashLeaf(hash))),
        proof.toSpliced(at, 1),
        [...proof, hash],
      ]);
      expect(wrong.filter((one) => isConsistent(headOf(smaller), headOf(size), one))).toEqual([]);
    }
});

describe('the cosigner', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  const post = async (path: string, body: string) => {
    const response = await fetch(`${sandbox.url}${path}`, { method: 'POST', body });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  const add = (old: number, note: string, proof: readonly Uint8Array[] = []) => {
    const hashes = proof.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('');
    return post('/cosigner/add-checkpoint', `old ${old}\n${hashes}\n${note}`);
  };
  /** A log of leaves that are those of `leaves` or others, signed by the real key. */
  const log = new TestLog();
  const note = (size: number, root = rootBetween(0, size)) =>
    log.sign(`${log.origin}\n${size}\n${root.toString('base64')}\n`);

  it('cosigns what extends the last checkpoint, and refuses every other history', async () => {
    expect((await add(0, note(5))).status).toBe(404);
    expect(await post('/_sandbox/cosigner', 'no key')).toMatchObject({ status: 400 });
    const { text: trusted } = await post('/_sandbox/cosigner', `${log.vkey}\n`);
    const { vkey } = JSON.parse(trusted);
    expect(vkey).toBe(sandbox.cosigner.vkey);
    expect((await add(0, new TestLog(undefined, { seed: 'another key' }).checkpoint())).status).toBe(403);
    expect((await add(9, note(5))).status).toBe(400);
    expect((await post('/cosigner/add-checkpoint', 'old 1')).status).toBe(400);

    const first = await add(0, note(5));
    expect(first.status).toBe(200);
    const cosigned = `${note(5)}${first.text}`;
    expect(openCheckpoint(cosigned, [parseVkey(log.vkey)])).toMatchObject({ size: 5 });
    const [found] = cosignaturesOf(cosigned, [parseCosigner(vkey)]);
    expect(Math.abs((found?.time ?? 0) - Date.now() / 1_000)).toBeLessThan(600);

    const conflict = { status: 409, type: 'text/x.tlog.size', text: '5\n' };
    expect(await add(0, note(12))).toEqual(conflict);
    // A fork: the real key has signed another history, at the same size and beyond.
    expect(await add(5, note(5, rootBetween(1, 6)))).toEqual(conflict);
    expect((await add(5, note(12, rootBetween(1, 13)), proofOf(5, 12))).status).toBe(422);
    expect((await add(5, note(12))).status).toBe(422);
    expect((await add(5, note(12), proofOf(5, 12))).status).toBe(200);
    expect((await add(12, note(12))).status).toBe(200);
    // A replay of an old checkpoint.
    expect(await add(5, note(5))).toEqual({ ...conflict, text: '12\n' });
    expect(sandbox.cosigner.sizes()).toEqual({ [log.origin]: 12 });
    expect(sandbox.calls()).toContainEqual({ target: 'cosigner', operation: 'AddCheckpoint', status: 422, calls: 2 });
  });
});
