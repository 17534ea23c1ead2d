import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Family } from '../api/families.js';

interface ResourceLinkProps {
  readonly family: Family;
  readonly id: string;
  /** Id of the resource that it is a part of, where it is known. */
  readonly parent?: string | undefined;
  /** Default: the id. */
  readonly children?: ReactNode;
}

/** A link to the page of a resource. */
export function ResourceLink({ family, id, parent, children }: ResourceLinkProps) {
  return (
    <Link to="/resources/$family/$id" params={{ family: family.name, id }} search={{ parent }}>
      {children ?? <code>{id}</code>}
    </Link>
  );
}
