import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** Where the queues are. */
export type Backend = 'redis' | 'postgres';

/** Every queue backend, in the order in which they run. */
export const backends: readonly Backend[] = ['redis', 'postgres'];

/** Defines the option that selects queue backends. */
export function backendOption() {
  return new Option('--backend <name>', `queue backend: ${backends.join(' or ')}`)
    .argParser(listOf(backends))
    .default(backends, 'both');
}

/** Returns a parser of comma-separated lists, whose result has the order of `known`. */
export function listOf<T extends string>(known: readonly T[]): (list: string) => readonly T[] {
  return (list) => {
    const names = list.split(',').map((name) => name.trim());
    if (!names.every((name) => known.some((one) => one === name)))
      throw new InvalidArgumentError(`Use ${known.join(', ')}, separated by commas.`);
    return known.filter((one) => names.includes(one));
  };
}
