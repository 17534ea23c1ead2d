import { useQuery } from '@tanstack/react-query';
import { familyOfId } from '../api/families.js';
import { labelOf } from '../api/resource-label.js';
import { resourceQuery } from '../api/resources.js';

/** Time for which a name is taken as known, in milliseconds. */
const FRESH_MS = 60_000;

/** The name of a resource by its id. Nothing for one without a name, and for one that the session cannot read. */
export function NameOf({ id }: { readonly id: string }) {
  const family = familyOfId(id);
  return family && family.parent === null ? <Name family={family} id={id} /> : null;
}

function Name({ family, id }: { readonly family: NonNullable<ReturnType<typeof familyOfId>>; readonly id: string }) {
  const { data } = useQuery({ ...resourceQuery({ family, id, parent: undefined }), staleTime: FRESH_MS });
  const name = data && labelOf(data);
  return name === undefined || name === id ? null : <>{name}</>;
}
