import type { FactoryProvider, Type } from '@nestjs/common';
import type { ResourceBehaviour } from './behaviour.js';
import type { ResourceDefinition } from './definition.js';

/** A class whose instance a behaviour needs. */
export type Dependency<Instance = unknown> = abstract new (...parameters: never) => Instance;

type InstancesOf<Classes extends readonly Dependency[]> = {
  [Index in keyof Classes]: Classes[Index] extends Dependency<infer Instance> ? Instance : never;
};

/** How the behaviour of a family is made. */
export interface BehaviourFactory<
  Classes extends readonly Dependency[] = readonly Dependency[],
  Instances extends readonly unknown[] = Parameters<FactoryProvider['useFactory']>,
> {
  /** The classes whose instances are the arguments of `create`, in this order; none by default. */
  readonly inject?: Classes;
  readonly create: (...dependencies: Instances) => ResourceBehaviour;
}

/**
 * A family as it is registered: its definition, its behaviour, and the controllers of its other operations.
 */
export interface Family<Definition extends ResourceDefinition = ResourceDefinition, Behaviour = BehaviourFactory> {
  readonly definition: Definition;
  /** Without a behaviour, the family is plain storage with events. */
  readonly behaviour?: Behaviour;
  /** Controllers for operations other than create, list, get, update and delete. */
  readonly controllers?: readonly Type[];
}

/**
 * Declares a family. The types of `create` follow from `inject`. Returns the family with the exact type of its
 * definition.
 */
export function defineFamily<
  Definition extends ResourceDefinition,
  const Classes extends readonly Dependency[] = readonly [],
>(family: Family<Definition, BehaviourFactory<Classes, InstancesOf<Classes>>>): Family<Definition> {
  return family;
}
