/** Paths of the console and the queues: no other host, and nothing that an address parser takes for one. */
const ownPage = /^\/(?:console|dashboard)(?:[/?#][^\\\p{Cc}]*)?$/u;

/** Returns the page to open after the sign-in: one of the console or of the queues, and no other address. */
export function pageAfterSignIn(next: string | undefined): string {
  return next !== undefined && ownPage.test(next) ? next : '/console/';
}
