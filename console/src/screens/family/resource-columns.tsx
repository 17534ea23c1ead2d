import { Link } from '@tanstack/react-router';
import { capitalized, familyOfId, type Family } from '../../api/families.js';
import { parentIn } from '../../api/references.js';
import { beginOf, labelOf } from '../../api/resource-label.js';
import type { Resource } from '../../api/resources.js';
import type { DataColumn } from '../../components/data-table.js';
import { NameOf } from '../../components/name-of.js';
import { ResourceLink } from '../../components/resource-link.js';
import { Time } from '../../components/time.js';
import ui from '../../components/ui.module.css';

/** Returns the columns for which a resource of the family has a member. */
export function resourceColumns(family: Family, sample: Resource | undefined): readonly DataColumn<Resource>[] {
  const columns: (DataColumn<Resource> & { readonly isShown?: boolean })[] = [
    {
      id: 'name',
      header: capitalized(family.one),
      width: 'minmax(14rem, 3fr)',
      cell: (resource) => <Name family={family} resource={resource} />,
    },
    {
      id: 'role',
      header: 'Role',
      width: 'minmax(6rem, 0.7fr)',
      isShown: family.name === 'api_key',
      cell: ({ role }) => (typeof role === 'string' ? role : null),
    },
    {
      id: 'owner',
      header: 'Owner',
      width: 'minmax(12rem, 2fr)',
      wide: true,
      isShown: family.name === 'api_key',
      cell: ({ id, owner_id: owner }) => <Owner keyId={id} owner={owner} />,
    },
    {
      id: 'metadata',
      header: 'Metadata',
      width: 'minmax(10rem, 2fr)',
      wide: true,
      isShown: sample !== undefined && 'metadata' in sample,
      cell: ({ metadata }) =>
        typeof metadata === 'string' && metadata !== '' ? (
          <code title={metadata}>{metadata}</code>
        ) : (
          <span className={ui.soft}>none</span>
        ),
    },
    {
      id: 'created',
      header: sample !== undefined && 'started_at' in sample ? 'Started' : 'Created',
      width: 'minmax(7rem, 0.7fr)',
      isShown: sample !== undefined && beginOf(sample) !== undefined,
      cell: (resource) => <Time at={beginOf(resource) ?? ''} />,
    },
    {
      id: 'updated',
      header: 'Updated',
      width: 'minmax(7rem, 0.7fr)',
      isShown: sample !== undefined && 'updated_at' in sample,
      cell: ({ updated_at: updated }) => (typeof updated === 'string' ? <Time at={updated} /> : null),
    },
  ];
  return columns.filter(({ isShown = true }) => isShown);
}

function Name({ family, resource }: { readonly family: Family; readonly resource: Resource }) {
  const { id, uri } = resource;
  const label = labelOf(resource);
  return (
    <>
      <div className={ui.clamped}>
        <ResourceLink family={family} id={id} parent={parentIn(uri, family)}>
          {label === id ? null : label}
        </ResourceLink>
      </div>
      {label !== id && (
        <div className={ui.note}>
          <code>{id}</code>
        </div>
      )}
    </>
  );
}

/** Who owns an API key, and what was done with it. */
function Owner({ keyId, owner }: { readonly keyId: string; readonly owner: unknown }) {
  const family = typeof owner === 'string' ? familyOfId(owner) : undefined;
  return (
    <>
      {typeof owner === 'string' && family && (
        <>
          <NameOf id={owner} /> <ResourceLink family={family} id={owner} />
        </>
      )}
      <div className={ui.note}>
        <Link to="/events" search={{ credential_id: keyId }}>
          Events of this key
        </Link>
      </div>
    </>
  );
}
