import 'reflect-metadata';
import { Inject } from '@nestjs/common';
import type { RecordedTable, RowId } from '../record-change.js';
import { OutboxRecorder } from './outbox-recorder.js';

const recorderOf = Symbol('OutboxRecorder');

interface Recording {
  readonly [recorderOf]?: OutboxRecorder;
}

type Method<Given extends unknown[], Result> = TypedPropertyDescriptor<(...given: Given) => Promise<Result>>;

/**
 * Records what a method of a provider or controller changes in a row of a table: a creation, an update, a deletion, or
 * nothing. The method runs in the current transaction, or in a new one. The object of the event is the row as the
 * database has it, before and after the method: what the method returns does not matter. If the method or the recording
 * fails, the transaction is rolled back.
 * @param row `id` returns the id of the row from the arguments of the method
 */
export function Audited<Known extends unknown[]>(
  table: RecordedTable,
  row: { readonly id: (...given: Known) => RowId },
): <Given extends [...Known, ...unknown[]], Result>(
  prototype: object,
  name: string | symbol,
  method: Method<Given, Result>,
) => void;
/**
 * As above, for a method that creates the row. Not for an upsert or a save that may update a row, which would be
 * recorded as created: pass `id`, or use a trigger.
 * @param row `createdId` returns the id of the row from the result of the method
 */
export function Audited<Created>(
  table: RecordedTable,
  row: { readonly createdId: (result: Created) => RowId },
): <Given extends unknown[], Result extends Created>(
  prototype: object,
  name: string | symbol,
  method: Method<Given, Result>,
) => void;
export function Audited(
  table: RecordedTable,
  row: { readonly id: (...given: unknown[]) => RowId } | { readonly createdId: (result: unknown) => RowId },
): (prototype: object, name: string | symbol, method: Method<unknown[], unknown>) => void {
  return (prototype, name, descriptor) => {
    const method = descriptor.value;
    if (!method) throw new TypeError(`@Audited() is for methods, and ${String(name)} is none.`);
    // Nest sets the property of each instance.
    Inject(OutboxRecorder)(prototype, recorderOf);
    const audited = async function (this: Recording, ...given: unknown[]): Promise<unknown> {
      const recorder = this[recorderOf];
      if (!recorder)
        throw new Error(`Nest has not made this ${prototype.constructor.name}, so @Audited() has no OutboxRecorder.`);
      const id = 'id' in row ? row.id(...given) : row.createdId;
      return recorder.recordChange(table, id, () => method.apply(this, given));
    };
    descriptor.value = Object.defineProperty(audited, 'name', { value: method.name });
    // Of decorators below this one, such as @Post().
    for (const key of Reflect.getMetadataKeys(method) as unknown[])
      Reflect.defineMetadata(key, Reflect.getMetadata(key, method), audited);
  };
}
