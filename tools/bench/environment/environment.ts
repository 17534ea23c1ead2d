import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../../harness/options.js';
import type { Program } from '../../harness/program.js';
import { startSandboxProcess, type SandboxProcess } from '../../harness/sandbox-process.js';
import { openPostgres, type BenchPostgres } from './postgres.js';
import { openRedis, type BenchRedis } from './redis.js';

/** Servers and sandboxes that all benches of a run share. */
export interface BenchEnvironment {
  /** Temporary folder for data and logs. */
  readonly folder: string;
  readonly postgres: BenchPostgres;
  readonly redis: BenchRedis | null;
  /** Counts events without keeping them. */
  readonly counting: SandboxProcess;
  /** Keeps events with the time of arrival. */
  readonly recording: SandboxProcess;
  /** Running processes of the service, which `close` stops. */
  readonly services: Set<Program>;
  close(): Promise<void>;
}

/** Starts the servers that these backends need. A failed start closes what is already open. */
export async function openEnvironment(backends: readonly Backend[]): Promise<BenchEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  const opened = <T extends { close(): Promise<void> }>(one: T): T => {
    closers.push(() => one.close());
    return one;
  };
  try {
    await mkdir(join(folder, 'redis'));
    const postgres = opened(await openPostgres(process.env.DATABASE_URL, folder));
    const redis = backends.includes('redis') ? await openRedis(process.env.REDIS_URL, join(folder, 'redis')) : null;
    if (redis) opened(redis);
    const counting = opened(await startSandboxProcess(true));
    const recording = opened(await startSandboxProcess(false));
    const services = new Set<Program>();
    closers.push(async () => void (await Promise.all(Array.from(services, (service) => service.stop()))));
    return { folder, postgres, redis, counting, recording, services, close };
  } catch (error) {
    await close();
    throw error;
  }
}
