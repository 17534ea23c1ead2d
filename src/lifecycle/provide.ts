declare const part: unique symbol;
/** Key of a part whose type is no class: an interface, a function, or a part that may be absent. */
export type Token<Part> = symbol & { readonly [part]: Part };

interface Class<Part> extends Function {
  readonly prototype: Part;
}

/** What a part is found by: its class, or a token. */
export type Key<Part = unknown> = Token<Part> | Class<Part>;

type PartOf<K> = K extends Token<infer Part> ? Part : K extends Class<infer Part> ? Part : never;
/** The parts of a list of keys, in its order. */
export type PartsOf<Keys extends readonly Key[]> = { -readonly [Index in keyof Keys]: PartOf<Keys[Index]> };
type NamedKeys = Readonly<Record<string, Key>>;
type NamedPartsOf<Keys extends NamedKeys> = { readonly [Name in keyof Keys]: PartOf<Keys[Name]> };

/** A provider of Nest that makes a part. */
export interface Provider<Part = unknown> {
  readonly provide: Key<Part>;
  readonly inject: Key[];
  readonly useFactory: (...parts: readonly unknown[]) => Part | Promise<Part>;
}

/** Returns the token with a name, which must be unique. */
export function tokenOf<Part>(name: string): Token<Part>;
export function tokenOf(name: string): symbol {
  return Symbol.for(name);
}

/**
 * Declares how a part is made from others. The parts of a list of keys are passed as arguments, those of named keys as
 * one object. Without `make` they are passed to the constructor of the class. The compiler checks their types.
 */
export function provide<Part, const Keys extends readonly Key[]>(
  key: new (...parts: PartsOf<Keys>) => Part,
  keys: Keys,
): Provider<Part>;
export function provide<Part, const Keys extends NamedKeys>(
  key: new (parts: NamedPartsOf<Keys>) => Part,
  keys: Keys,
): Provider<Part>;
export function provide<Part, const Keys extends readonly Key[]>(
  key: Key<Part>,
  keys: Keys,
  make: (...parts: PartsOf<Keys>) => NoInfer<Part> | Promise<NoInfer<Part>>,
): Provider<Part>;
export function provide<Part, const Keys extends NamedKeys>(
  key: Key<Part>,
  keys: Keys,
  make: (parts: NamedPartsOf<Keys>) => NoInfer<Part> | Promise<NoInfer<Part>>,
): Provider<Part>;
export function provide(key: Key, keys: readonly Key[] | NamedKeys, make?: (...parts: never) => unknown): Provider {
  const names = Array.isArray(keys) ? null : Object.keys(keys);
  return {
    provide: key,
    inject: Object.values(keys),
    useFactory(...parts) {
      const given = names ? [Object.fromEntries(names.map((name, index) => [name, parts[index]]))] : parts;
      if (make) return Reflect.apply(make, undefined, given);
      if (typeof key === 'function') return Reflect.construct(key, given);
      throw new TypeError('A token needs a function that makes its part.');
    },
  };
}
