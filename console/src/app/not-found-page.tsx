import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/empty-state.js';
import { PageHeader } from '../components/page-header.js';

/** What is shown for an address that has no page. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="No such page" />
      <EmptyState title="The console has no page at this address" actions={<Link to="/">Overview</Link>}>
        Check the address, or start from the overview.
      </EmptyState>
    </>
  );
}
