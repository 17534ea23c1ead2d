import type { Page } from 'playwright-core';

/**
 * Returns a list that grows with what goes wrong in a page: errors of its scripts, violations of its content policy,
 * requests to other hosts.
 * @param origin address that its requests may go to
 */
export function pageComplaints(page: Page, origin: string): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    // The browser reports each refused request. The tests look at what the page says about it.
    const isRefusal = line.text().startsWith('Failed to load resource');
    if ((line.type() === 'error' || line.type() === 'warning') && !isRefusal) complaints.push(line.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    // A file that the page itself has put together begins with `blob:`.
    const isOwn = [origin, 'data:', 'blob:'].some((start) => url.startsWith(start));
    if (!isOwn) complaints.push(`request to ${url}`);
  });
  return complaints;
}
