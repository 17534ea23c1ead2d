import { narrowings } from '../../../events/resource-types/schemas/schema-compatibility.js';
import type { InputError } from '../../../problems/problem.js';
import type { TypeAttributes } from './resource-type.js';

const ADVICE = 'Raise `version` for this change';

/**
 * Returns why an update is not compatible with the events of its version; nothing when it is, or when it raises the
 * version.
 */
export function versionErrors(before: TypeAttributes, after: TypeAttributes): readonly InputError[] {
  if (after.version > before.version) return [];
  if (after.version < before.version)
    return [{ pointer: '/version', detail: `must not be lower than ${before.version}` }];
  const within = `within version ${before.version}. ${ADVICE}`;
  return [
    ...missing(before.actions, after.actions, '/actions', within),
    ...missing(before.redact, after.redact, '/redact', within),
    ...(before.changes === after.changes ? [] : [{ pointer: '/changes', detail: `must not change ${within}` }]),
    ...narrowings(before.schema, after.schema).map(({ pointer, detail }) => ({
      pointer: `/schema${pointer}`,
      detail: `${detail} ${within}`,
    })),
  ];
}

function missing(
  before: readonly string[],
  after: readonly string[],
  pointer: string,
  within: string,
): readonly InputError[] {
  const lost = before.filter((item) => !after.includes(item));
  return lost.length === 0 ? [] : [{ pointer, detail: `must keep ${lost.join(', ')} ${within}` }];
}
