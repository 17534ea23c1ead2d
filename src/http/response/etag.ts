import { Problem } from '../../problems/problem.js';

/** One resource as a handler returns it: the body, and the version that becomes the ETag. */
export class Versioned<Body = unknown> {
  constructor(
    readonly body: Body,
    /** Version number of the resource; every change increments it. */
    readonly version: number,
    /**
     * Digest of the members that can change without a new version; null for a family without such members.
     */
    readonly digest: string | null = null,
  ) {}

  /** The entity tag, with its quotes. */
  get etag(): string {
    return this.digest === null ? etagOf(this.version) : `"v${this.version}-${this.digest}"`;
  }
}

function etagOf(version: number): string {
  return `"v${version}"`;
}

/** Returns the entity tags of an If-Match or If-None-Match header, `*` included. */
function tagsIn(header: string): string[] {
  return header.match(/\*|(?:W\/)?"[^"]*"/g) ?? [];
}

/**
 * Checks that a write is for the current version of a resource. A null header matches every version; the digest of a
 * tag is ignored. Call it on the locked row, so that no change comes between the check and the write.
 * @throws Problem `precondition_failed` (412) when the resource has another version
 */
export function requireMatch(ifMatch: string | null, version: number): void {
  if (ifMatch === null) return;
  const versions = tagsIn(ifMatch).map((tag) => tag.replace(/-[0-9a-f]+"$/, '"'));
  if (versions.includes('*') || versions.includes(etagOf(version))) return;
  throw new Problem(
    'precondition_failed',
    `The resource has changed: its ETag is now ${etagOf(version)}. Read it again.`,
  );
}

/** Whether If-None-Match names this representation (weak comparison, RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  const tags = tagsIn(ifNoneMatch);
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
