import { useQuery } from '@tanstack/react-query';
import { familyOfId, type Family } from '../api/families.js';
import { labelOf } from '../api/resource-label.js';
import { resourceQuery } from '../api/resources.js';

/** Time for which a name is taken as known, in milliseconds. */
const FRESH_MS = 60_000;

interface NameOfProps {
  readonly id: string;
  /** Shown for a resource without a name, and for one that the session cannot read. */
  readonly or?: string | undefined;
}

/** The name of a resource by its id. */
export function NameOf({ id, or }: NameOfProps) {
  const family = familyOfId(id);
  return family && family.parent === null ? <Name family={family} id={id} or={or} /> : or;
}

function Name({ family, id, or }: NameOfProps & { readonly family: Family }) {
  const { data } = useQuery({ ...resourceQuery({ family, id, parent: undefined }), staleTime: FRESH_MS });
  const name = data && labelOf(data);
  return name === undefined || name === id ? or : name;
}
