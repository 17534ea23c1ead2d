import { expect, it } from 'vitest';
import { logOf, payload } from '../command/testing.js';
import { openCheckpoint } from '../log/checkpoint.js';
import { parseVkey } from '../log/note-key.js';
import { tilePath } from '../log/tiles.js';
import { eventsOfLine } from '../readers/event-line.js';
import { Findings } from './finding.js';
import type { Evidence } from './log-check.js';
import { Verification } from './verification.js';

const { log, events } = logOf(8, { epoch: 2 }, 101);
const head = openCheckpoint(log.checkpoint(), [parseVkey(log.vkey)]);

const place = { file: 'f', line: 1 };

async function verified(lines: readonly unknown[], evidence: Partial<Evidence>) {
  const verification = new Verification([head], [], new Findings());
  for (const line of lines) for (const event of eventsOfLine(JSON.stringify(line))) verification.add(event, place);
  const [result] = await verification.finish(() => ({
    tiles: async (tile) => log.tiles.get(tilePath(tile)) ?? new Uint8Array(),
    readEvents: async () => {},
    ...evidence,
  }));
  const found = verification.findings.list.map(({ verdict, sequence, last_sequence: last }) => [
    verdict,
    sequence,
    last,
  ]);
  return { result, found };
}

it('does not report sequences whose absence is accounted for, and compares the others with the log', async () => {
  const isAccountedFor = ({ epoch, sequence }: { epoch: number; sequence: number }) =>
    epoch === 2 && [103, 107, 108].includes(sequence);
  const held = [0, 1, 3, 5].map((index) => events[index]);
  const { result, found } = await verified(held, { isAccountedFor });
  expect(result).toMatchObject({ events: 4, is_compared: true });
  expect(found).toEqual([['missing', 105, 105]]);
});

it('reports an altered event that cannot be read again, beside the intact one that can', async () => {
  const readEvents: Evidence['readEvents'] = async (onEvent) => {
    for (const line of events) for (const event of eventsOfLine(JSON.stringify(line))) onEvent(event, place);
  };
  const { found } = await verified([{ ...events[2], version: 9 }, ...events], { readEvents });
  expect(found).toEqual([['altered_repeat', 103, undefined]]);
});

it('numbers the events of a log of which it sees none from the first sequence of the epoch', async () => {
  expect((await verified([], { firstSequence: 101 })).found).toEqual([['cut_at_the_end', 101, 108]]);
});

it('reads each tile once for all checkpoints', async () => {
  const grown = logOf(0).log;
  const heads = Array.from({ length: 104 }, (_, at) => {
    for (let leaf = 0; leaf < 5; leaf += 1) grown.append(payload(5 * at + leaf));
    return openCheckpoint(grown.checkpoint(), [parseVkey(grown.vkey)]);
  });
  const verification = new Verification(heads, [], new Findings());
  const asked: string[] = [];
  const tiles: Evidence['tiles'] = async (tile) => {
    asked.push(tilePath(tile));
    return grown.tiles.get(tilePath(tile)) ?? new Uint8Array();
  };
  await verification.finish(() => ({ tiles, readEvents: async () => {} }));
  expect(asked).toEqual(['tile/0/002.p/8', 'tile/1/000.p/2', 'tile/0/000', 'tile/0/001']);
});
