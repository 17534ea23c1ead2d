import { open, type SendOptions } from './request.js';

/** A resource as it was read. */
export interface Versioned<Resource> {
  readonly resource: Resource;
  /** Names the version, so that a change of another one is refused. */
  readonly etag: string | undefined;
}

/**
 * Reads a resource with its version. The caller names the type of what the path returns.
 * @throws ProblemError, ConnectionError
 */
export async function readVersioned<Resource>(
  path: string,
  id: string,
  options: Pick<SendOptions, 'signal'>,
): Promise<Versioned<Resource>> {
  const response = await open('GET', path, { path: { id }, ...options });
  // What the service sends is what its OpenAPI document says.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { resource: (await response.json()) as Resource, etag: response.headers.get('etag') ?? undefined };
}
