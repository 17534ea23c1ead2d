/**
 * Options of every connection to Redis. `socketTimeout` counts while a response is due, in milliseconds. It is longer
 * than BullMQ blocks on a connection (ten seconds at most), so that a timeout means a stopped server or a network that
 * drops packets.
 */
export const redisSockets = { socketTimeout: 15_000, keepAlive: 10_000 } as const;
