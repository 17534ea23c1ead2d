import { readFile, rename } from 'node:fs/promises';
import { z } from 'zod';
import { writeDraft } from '../../files/atomic-file.js';
import { isHigher, merge, nothingKnown, type NumberMark, type Testimony, type Witness } from './witness.js';

const fileSchema = z.object({
  epoch: z.int().min(0),
  cleanups: z.int().min(0).default(0),
  lanes: z.record(z.string(), z.tuple([z.int().min(1), z.int().min(0)])),
});

/** How long a process keeps a mark that it has written, in milliseconds: longer than a write of another process. */
const KEPT_MS = 60_000;

/** A mark that this process has added, and when. */
interface OwnMark {
  readonly mark: NumberMark;
  readonly at: number;
}

/**
 * Opens the witness in a file. Processes may share the file: each write merges what the file holds with the marks that
 * this process has added lately. Two writes at the same moment may lose the marks of one until that process writes
 * again.
 */
export function openFileWitness(file: string): Witness {
  const own = new Map<string, OwnMark>();
  let highest = nothingKnown;
  let last: Promise<void> = Promise.resolve();

  /** Drops the marks that the file has held for a while: no write that lacks them can be under way. */
  function dropKept(lanes: Testimony['lanes']): void {
    for (const [id, { mark, at }] of own) {
      const held = lanes.get(id);
      if (held && !isHigher(mark, held) && performance.now() - at > KEPT_MS) own.delete(id);
    }
  }

  function note(testimony: Testimony): void {
    highest = { ...merge(highest, testimony), lanes: nothingKnown.lanes };
    for (const [id, mark] of testimony.lanes) {
      const known = own.get(id);
      if (!known || isHigher(mark, known.mark)) own.set(id, { mark, at: performance.now() });
    }
  }

  /** Runs one change of the file after the other. */
  function inTurn(change: () => Promise<void>): Promise<void> {
    const done = last.then(change);
    last = done.catch(() => undefined);
    return done;
  }

  return {
    read: () => readTestimony(file),
    add: (testimony) =>
      inTurn(async () => {
        note(testimony);
        const held = await readTestimony(file);
        dropKept(held.lanes);
        const marks = Array.from(own, ([id, { mark }]) => [id, mark] as const);
        await writeTestimony(file, merge(held, { ...highest, lanes: new Map(marks) }));
      }),
    forget: (destinationIds) =>
      inTurn(async () => {
        const held = await readTestimony(file);
        const lanes = new Map(held.lanes);
        for (const id of destinationIds) {
          lanes.delete(id);
          own.delete(id);
        }
        await writeTestimony(file, { ...held, lanes });
      }),
    close: () => Promise.resolve(),
  };
}

async function writeTestimony(file: string, { epoch, lanes, cleanups }: Testimony): Promise<void> {
  const marks = Object.fromEntries(Array.from(lanes, ([id, mark]) => [id, [mark.epoch, mark.sequence]]));
  const text = `${JSON.stringify({ epoch, cleanups, lanes: marks })}\n`;
  // On the disk before it gets its name: a power failure leaves the old file or the new one.
  await rename(await writeDraft(file, text, { flush: true }), file);
}

/** @throws Error when the file cannot be read, or is not a witness */
async function readTestimony(file: string): Promise<Testimony> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return nothingKnown;
  const { epoch, lanes, cleanups } = parsed(file, text);
  return {
    epoch,
    cleanups,
    lanes: new Map(Object.entries(lanes).map(([id, [of, sequence]]) => [id, { epoch: of, sequence }])),
  };
}

function parsed(file: string, text: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(
      `${file} is not a witness of Waybill. Restore the file or set WITNESS_FILE to another one. Then run declare-recovery.`,
      { cause },
    );
  }
}
