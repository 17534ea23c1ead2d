import type { FactoryProvider, Type } from '@nestjs/common';
import type { Key, PartsOf } from '../../../lifecycle/provide.js';
import type { ResourceBehaviour } from './behaviour.js';
import type { ResourceDefinition } from './definition.js';

/** How the behaviour of a family is made. */
export interface BehaviourFactory<
  Keys extends readonly Key[] = readonly Key[],
  Parts extends readonly unknown[] = Parameters<FactoryProvider['useFactory']>,
> {
  /** The keys of the parts that are the arguments of `create`, in this order; none by default. */
  readonly inject?: Keys;
  readonly create: (...parts: Parts) => ResourceBehaviour;
}

/**
 * A family as it is registered: its definition, its behaviour, and the controllers of its other operations.
 */
export interface Family<Behaviour = BehaviourFactory> {
  readonly definition: ResourceDefinition;
  /** Without a behaviour, the family is plain storage with events. */
  readonly behaviour?: Behaviour;
  /** Controllers for operations other than create, list, get, update and delete. */
  readonly controllers?: readonly Type[];
}

/** Declares a family. The types of `create` follow from `inject`. */
export function defineFamily<const Keys extends readonly Key[] = readonly []>(
  family: Family<BehaviourFactory<Keys, PartsOf<Keys>>>,
): Family {
  return family;
}
