import 'reflect-metadata';
import { Inject } from '@nestjs/common';
import type { OutboxEvent } from '../event.js';
import { OutboxRecorder } from './outbox-recorder.js';

/** Returns a part of the event. Its parameters are the result of the method, and then the arguments of the method. */
export type EventPart<Result, Part> = (result: Result, ...given: never[]) => Part;

/** Which event a method records. */
export interface AuditedOptions<Result> {
  /** `<resource type>_<action>.v<version>`, such as `order_created.v0`. */
  readonly type: string;
  readonly resourceId: EventPart<Result, string | number | bigint>;
  /** Default: the result. */
  readonly object?: EventPart<Result, object>;
  /** Only for resource types with `changes: given`. */
  readonly changes?: EventPart<Result, NonNullable<OutboxEvent['changes']>>;
}

/** A decorator of a method that returns a promise. */
export type AuditedDecorator<Result> = <Given extends unknown[]>(
  prototype: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<(...given: Given) => Promise<Result>>,
) => void;

const recorderOf = Symbol('OutboxRecorder');

interface Recording {
  readonly [recorderOf]?: OutboxRecorder;
}

/**
 * Runs a method of a provider or controller in the current transaction, or in a new one, and records an event of its
 * result. If the method or the recording fails, the transaction is rolled back.
 */
export function Audited<Result>(options: AuditedOptions<Result>): AuditedDecorator<Result> {
  // The body needs the name of the type.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  return <Given extends unknown[]>(
    prototype: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<(...given: Given) => Promise<Result>>,
  ) => {
    const method = descriptor.value;
    if (!method) throw new TypeError(`@Audited() is for methods, and ${String(name)} is none.`);
    // Nest sets the property of each instance.
    Inject(OutboxRecorder)(prototype, recorderOf);
    const audited = async function (this: Recording, ...given: Given): Promise<Result> {
      const recorder = this[recorderOf];
      if (!recorder)
        throw new Error(`Nest has not made this ${prototype.constructor.name}, so @Audited() has no OutboxRecorder.`);
      return recorder.transaction(async () => {
        const result = await method.apply(this, given);
        await recorder.record(eventOf(options, result, given));
        return result;
      });
    };
    descriptor.value = Object.defineProperty(audited, 'name', { value: method.name });
    // Of decorators below this one, such as @Post().
    for (const key of Reflect.getMetadataKeys(method) as unknown[])
      Reflect.defineMetadata(key, Reflect.getMetadata(key, method), audited);
  };
}

function eventOf<Result>(options: AuditedOptions<Result>, result: Result, given: readonly unknown[]): OutboxEvent {
  // The parameters of a part are those of the method, which this type cannot say.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const parameters = given as readonly never[];
  const { type, resourceId, object, changes } = options;
  return {
    type,
    resourceId: String(resourceId(result, ...parameters)),
    object: object ? object(result, ...parameters) : objectOf(result, type),
    ...(changes && { changes: changes(result, ...parameters) }),
  };
}

function objectOf(result: unknown, type: string): object {
  if (typeof result === 'object' && result !== null) return result;
  throw new TypeError(`The method returned no object for ${type}: return one, or give @Audited() the option object.`);
}
