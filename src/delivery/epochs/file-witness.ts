import { readFile, rename } from 'node:fs/promises';
import { z } from 'zod';
import { writeDraft } from '../../files/atomic-file.js';
import { merge, nothingKnown, type Testimony, type Witness } from './witness.js';

const fileSchema = z.object({
  epoch: z.int().min(0),
  lanes: z.record(z.string(), z.tuple([z.int().min(1), z.int().min(0)])),
});

/**
 * Opens the witness in a file. Processes may share the file: each write merges what the file holds with everything that
 * this process has added. Two writes at the same moment may lose the marks of one until that process writes again.
 */
export function openFileWitness(file: string): Witness {
  let own = nothingKnown;
  return {
    read: () => readTestimony(file),
    async add(testimony) {
      own = merge(own, testimony);
      const { epoch, lanes } = merge(await readTestimony(file), own);
      const marks = Object.fromEntries(Array.from(lanes, ([id, mark]) => [id, [mark.epoch, mark.sequence]]));
      // On the disk before it gets its name: a power failure leaves the old file or the new one.
      await rename(await writeDraft(file, `${JSON.stringify({ epoch, lanes: marks })}\n`, { flush: true }), file);
    },
    close: () => Promise.resolve(),
  };
}

/** @throws Error when the file cannot be read, or is not a witness */
async function readTestimony(file: string): Promise<Testimony> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return nothingKnown;
  const { epoch, lanes } = parsed(file, text);
  return {
    epoch,
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
