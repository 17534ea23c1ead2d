import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const itemSchema = z.object({
  id: z.string(),
  kind: z.string(),
  account_id: z.string(),
  version: z.int().nullable(),
  object: z.record(z.string(), z.unknown()).nullable(),
  secrets: z.record(z.string(), z.string()),
  unavailable_secrets: z.array(z.string()).default([]),
});

/**
 * A resource of the configuration. `object` is null after its deletion. `secrets` has paths in the object. A resource
 * with `unavailable_secrets` must not be used: the service cannot decrypt these.
 */
export type ConfigurationItem = Readonly<z.infer<typeof itemSchema>>;

const pageSchema = z.object({
  resources: z.array(itemSchema),
  next_page: z.string().nullable(),
  cursor: z.string().nullable(),
});
const changesSchema = z.object({ changes: z.array(itemSchema), cursor: z.string() });

/** Where the data-plane API is, and what follows it. */
export interface FollowOptions {
  /** Address of the data-plane API. */
  readonly url: string;
  /** DATA_PLANE_CONFIG_KEY of the service. */
  readonly key: string;
  /** Called after each read that changed something. */
  readonly onChange?: (configuration: ReadonlyMap<string, ConfigurationItem>) => void;
  /** Called for a read that failed. The next one follows after a wait. */
  readonly onError?: (error: unknown) => void;
  /** How often everything is read again while a resource is unavailable, in milliseconds; default: one minute. */
  readonly rereadMs?: number;
  readonly stopped: AbortSignal;
}

/** How long the API may hold a request without a change, in seconds. */
const WAIT_SECONDS = 30;
/** Wait after a failed read, in milliseconds. */
const RETRY_MS = 1_000;

/** How often everything is read again while a resource is unavailable, in ms: no change reports its repair. */
const REREAD_MS = 60_000;

/** The cursor has expired: only the whole configuration shows what changed since. */
class CursorExpired extends Error {}

/**
 * Follows the configuration of the data plane until `stopped` aborts: reads all of it, then its changes. After a
 * failure the last state stays in use. A change can be repeated, and each contains the whole resource.
 */
export async function followConfiguration(options: FollowOptions): Promise<void> {
  const { stopped, onChange, onError, rereadMs = REREAD_MS } = options;
  let cursor: string | null = null;
  let readAt = 0;
  const current = new Map<string, ConfigurationItem>();
  while (!stopped.aborted) {
    try {
      const isWaiting = [...current.values()].some(isUnavailable);
      if (cursor === null || (isWaiting && performance.now() - readAt > rereadMs)) {
        const { resources, cursor: first } = await readAll(options);
        current.clear();
        for (const item of resources) current.set(item.id, item);
        cursor = first;
        readAt = performance.now();
        onChange?.(current);
        continue;
      }
      const waitSeconds = isWaiting ? Math.min(WAIT_SECONDS, Math.ceil(rereadMs / 1_000)) : WAIT_SECONDS;
      const query: string = `cursor=${cursor}&wait_seconds=${waitSeconds}`;
      const { changes, cursor: next }: z.infer<typeof changesSchema> = await read(
        options,
        `/configuration/changes?${query}`,
        changesSchema,
      );
      for (const item of changes) {
        if (item.object === null) current.delete(item.id);
        else current.set(item.id, item);
      }
      cursor = next;
      if (changes.length > 0) onChange?.(current);
    } catch (error) {
      if (stopped.aborted) return;
      if (error instanceof CursorExpired) cursor = null;
      onError?.(error);
      await sleep(RETRY_MS, undefined, { signal: stopped }).catch(() => {});
    }
  }
}

/** Whether the service cannot decrypt a secret of a resource, which must not be used without it. */
export function isUnavailable({ unavailable_secrets: secrets }: ConfigurationItem): boolean {
  return secrets.length > 0;
}

async function readAll(options: FollowOptions): Promise<{ resources: readonly ConfigurationItem[]; cursor: string }> {
  const resources: ConfigurationItem[] = [];
  for (let path = '/configuration'; ;) {
    const page = await read(options, path, pageSchema);
    resources.push(...page.resources);
    if (page.cursor !== null) return { resources, cursor: page.cursor };
    path = `/configuration?page=${page.next_page ?? ''}`;
  }
}

async function read<Body>({ url, key, stopped }: FollowOptions, path: string, schema: z.ZodType<Body>): Promise<Body> {
  const timeout = AbortSignal.timeout((WAIT_SECONDS + 30) * 1_000);
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.any([stopped, timeout]),
  });
  if (response.status === 410) throw new CursorExpired(await response.text());
  if (!response.ok)
    throw new Error(`GET ${path.replace(/\?.*/, '')} returned ${response.status}: ${await response.text()}`);
  return schema.parse(await response.json());
}
