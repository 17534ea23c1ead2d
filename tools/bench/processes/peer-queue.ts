import { createPostgresBackend, createRedisBackend, type BackendFactory, type QueueOptions } from 'bullmq';

/** Name of the only queue. */
export const PEER_QUEUE = 'peer';

/** A job: one event for one destination. */
export interface PeerJob {
  readonly stream: string;
  readonly key: string;
  readonly body: string;
}

/** How BullMQ reaches the store of a peer. */
export interface PeerStore {
  readonly options: Pick<QueueOptions, 'connection' | 'prefix'>;
  readonly factory: BackendFactory;
}

/** Returns BullMQ's own backend at an address. */
export function peerStore(backend: string, url: string, prefix: string): PeerStore {
  if (backend === 'redis')
    return { options: { connection: { url, maxRetriesPerRequest: null }, prefix }, factory: createRedisBackend };
  const connection = { connectionString: url, schema: `${prefix}_peer`, migrate: true };
  return {
    options: { connection: {} },
    factory: (name, given) => createPostgresBackend(name, { ...given, connection }),
  };
}
