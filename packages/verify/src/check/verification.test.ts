import { expect, it } from 'vitest';
import { logOf } from '../command/testing.js';
import { openCheckpoint } from '../log/checkpoint.js';
import { parseVkey } from '../log/note-key.js';
import { tilePath } from '../log/tiles.js';
import { eventsOfLine } from '../readers/event-line.js';
import { Findings } from './finding.js';
import type { Evidence } from './log-check.js';
import { Verification } from './verification.js';

const { log, events } = logOf(8, { epoch: 2 }, 101);
const head = openCheckpoint(log.checkpoint(), [parseVkey(log.vkey)]);

async function verified(indexes: readonly number[], evidence: Partial<Evidence>) {
  const verification = new Verification([head], [], new Findings());
  for (const index of indexes)
    for (const event of eventsOfLine(JSON.stringify(events[index]))) verification.add(event, { file: 'f', line: 1 });
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
  const { result, found } = await verified([0, 1, 3, 5], { isAccountedFor });
  expect(result).toMatchObject({ events: 4, is_compared: true });
  expect(found).toEqual([['missing', 105, 105]]);
});

it('numbers the events of a log of which it sees none from the first sequence of the epoch', async () => {
  expect((await verified([], { firstSequence: 101 })).found).toEqual([['cut_at_the_end', 101, 108]]);
});
