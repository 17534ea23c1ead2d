import { Link } from '@tanstack/react-router';

/** Leads to the page of an event. */
export function EventLink({ id }: { readonly id: string }) {
  return (
    <Link to="/events/$id" params={{ id }}>
      <code>{id}</code>
    </Link>
  );
}
