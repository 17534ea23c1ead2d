import { afterEach, describe, expect, it } from 'vitest';
import { ObjectSchemas, schemaTextOf, type CheckedObject } from './object-schemas.js';
import { compileValidator } from './object-validator.js';

let schemas: ObjectSchemas;
afterEach(() => schemas.close());

/** An object of a schema of its own. */
function checked(title: string, object: CheckedObject['object'] = {}, members = 1): CheckedObject {
  const properties = Object.fromEntries(
    Array.from({ length: members }, (_, index) => [`p${index}`, { type: 'integer' }]),
  );
  return { schema: schemaTextOf({ title, type: 'object', properties }), object };
}

/**
 * A thread that accepts objects. It takes 50 ms for each task, and does not end for a schema whose title is "endless".
 */
const slowThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ schemas, objects }) => {
      while (schemas[0].text.includes('endless'));
      const end = performance.now() + 50;
      while (performance.now() < end);
      parentPort.postMessage({ kind: 'objects', errors: JSON.parse(objects).slice(0, 1).map(() => null), compiled: 0 });
    });
    parentPort.postMessage('ready');`)}`,
);

/** Returns the longest time between two turns of the event loop while something runs, in milliseconds. */
async function longestTurn(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  await run();
  clearInterval(timer);
  return Math.max(longest, performance.now() - last);
}

describe('the schemas of objects', () => {
  it('are checked in the order of the objects, whatever their number', async () => {
    schemas = new ObjectSchemas();
    const text = 'a'.repeat(40_000);
    const objects = Array.from({ length: 30 }, (_, index) =>
      checked(`type ${index % 3}`, { p0: index % 7 === 0 ? 'text' : index, text }),
    );
    const errors = await schemas.objectErrors('acc_1', objects);
    const refused = { pointer: '/p0', detail: 'must be integer' };
    expect(errors).toEqual(objects.map((_, index) => (index % 7 === 0 ? refused : null)));
  });

  it('are refused with the reason', async () => {
    schemas = new ObjectSchemas();
    expect(await schemas.schemaErrors('acc_1', { type: 'text' })).toMatchObject([{ pointer: '/type' }]);
    expect(await schemas.schemaErrors('acc_1', { type: 'object' })).toEqual([]);
  });

  it('that are large and many let the event loop serve others, and are compiled 20 in a batch', async () => {
    schemas = new ObjectSchemas();
    const objects = Array.from({ length: 30 }, (_, index) => checked(`type ${index}`, {}, 240));
    const [first] = objects;
    const begun = performance.now();
    compileValidator(JSON.parse(first?.schema.text ?? '{}') as object as Readonly<Record<string, unknown>>);
    const compileMs = performance.now() - begun;
    const reasons: string[] = [];
    const check = () =>
      schemas.objectErrors('acc_1', objects).catch((error: unknown) => {
        reasons.push(String(error));
        throw error;
      });
    const turn = await longestTurn(async () => {
      await expect(check()).rejects.toMatchObject({ code: 'unavailable' });
      // The next request finds the first schemas compiled. On a busy machine it may take too long, too.
      await expect.poll(check).toEqual(objects.map(() => null));
    });
    expect(reasons.filter((reason) => reason.includes('more than 20 schemas')).length).toBeLessThanOrEqual(1);
    // On the event loop, it would be 30 times as long.
    expect(turn).toBeLessThan(10 * compileMs);
  });

  it('that take too long end the check of their batch, and no other one', async () => {
    schemas = new ObjectSchemas(2_000, slowThread);
    const endless = schemas.objectErrors('acc_1', [checked('endless')]);
    const others = ['acc_1', 'acc_2', 'acc_3'].map((id) => schemas.objectErrors(id, [checked('other')]));
    await expect(endless).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(await Promise.all(others)).toEqual([[null], [null], [null]]);
  });

  it('cannot be checked while their thread fails', async () => {
    schemas = new ObjectSchemas(
      2_000,
      new URL(`data:text/javascript,${encodeURIComponent('throw new Error("broken")')}`),
    );
    const failed = { code: 'unavailable', retryAfterSeconds: 1, cause: expect.any(Error) as Error };
    await expect(schemas.objectErrors('acc_1', [checked('other')])).rejects.toMatchObject(failed);
    await expect(schemas.schemaErrors('acc_1', {})).rejects.toMatchObject(failed);
  });

  it('are checked for the accounts by turns', async () => {
    schemas = new ObjectSchemas(2_000, slowThread);
    const done: string[] = [];
    const check = async (id: string, count: number) => {
      await schemas.objectErrors(
        id,
        Array.from({ length: count }, () => checked('other')),
      );
      done.push(id);
    };
    // One task for each object.
    await Promise.all([check('acc_1', 12), check('acc_1', 12), check('acc_2', 1), check('acc_3', 2)]);
    expect(done.slice(0, 2)).toEqual(['acc_2', 'acc_3']);
  });
});
