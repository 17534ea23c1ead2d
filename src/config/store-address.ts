/**
 * Returns the URL of a store for messages: scheme, host, port and path, and the folder of a socket. Without user,
 * password and the rest of the query, which may hold a password as well.
 */
export function storeAddress(url: string): string {
  // The driver accepts a user without a host, which is usual for a socket.
  const { protocol, host, pathname, searchParams } = new URL(url.replace('@/', '@socket/'));
  const folder = searchParams.get('host');
  const socket = folder === null ? '' : `?host=${folder}`;
  return `${protocol}//${url.includes('@/') ? '' : host}${pathname}${socket}`;
}
