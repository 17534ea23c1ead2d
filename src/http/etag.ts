import { Problem } from '../problems/problem.js';

/** What a handler returns for one resource: its body, and the version that becomes the ETag. */
export class Versioned<Body = unknown> {
  constructor(
    readonly body: Body,
    /** Version number of the resource, counted up by every change. */
    readonly version: number,
    /** Digest of what the body shows that can change without a new version; null where there is nothing of the kind. */
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

/** The entity tags in an If-Match or If-None-Match header; `*` stands for itself. */
function tagsIn(header: string): string[] {
  return header.match(/\*|(?:W\/)?"[^"]*"/g) ?? [];
}

/**
 * Holds a write to the version that the client has seen, whatever else it saw with it. A null header asks for nothing.
 * Call it on the row as it was locked, so that no change comes between the check and the write.
 * @throws Problem `precondition_failed` (412) when the resource has another version.
 */
export function requireMatch(ifMatch: string | null, version: number): void {
  if (ifMatch === null) return;
  const versions = tagsIn(ifMatch).map((tag) => tag.replace(/-[0-9a-f]+"$/, '"'));
  if (versions.includes('*') || versions.includes(etagOf(version))) return;
  throw new Problem(
    'precondition_failed',
    'precondition_failed',
    `The resource has changed since it was read: its ETag is now ${etagOf(version)}.`,
  );
}

/** Whether If-None-Match says that the client holds this representation already (weak comparison, RFC 9110 section 13.1.2). */
export function holdsAlready(ifNoneMatch: string, etag: string): boolean {
  const tags = tagsIn(ifNoneMatch);
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
