import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceProcess } from '../../demo/service-process.js';
import type { Backend } from '../result.js';
import { openPostgres, type BenchPostgres } from './postgres.js';
import { openRedis, type BenchRedis } from './redis.js';
import { startSandboxProcess, type SandboxProcess } from './sandbox.js';

/** What every bench of a run stands on: the servers, and the sandboxes that count. */
export interface Ground {
  /** For data, logs and profiles; gone at the end. */
  readonly folder: string;
  readonly postgres: BenchPostgres;
  readonly redis: BenchRedis | null;
  /** Counts what arrives and forgets it. */
  readonly counting: SandboxProcess;
  /** Keeps what arrives, with the time. */
  readonly recording: SandboxProcess;
  /** The service's processes that run; a run that is interrupted ends them too. */
  readonly services: Set<ServiceProcess>;
  close(): Promise<void>;
}

/** Starts what is needed for these backends; what was started is ended when a later step fails. */
export async function openGround(backends: readonly Backend[]): Promise<Ground> {
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
    const redis = backends.includes('redis')
      ? await openRedis(process.env.REDIS_URL, join(folder, 'redis'))
      : null;
    if (redis) opened(redis);
    const counting = opened(await startSandboxProcess(true));
    const recording = opened(await startSandboxProcess(false));
    const services = new Set<ServiceProcess>();
    closers.push(async () => void (await Promise.all(Array.from(services, (service) => service.stop()))));
    return { folder, postgres, redis, counting, recording, services, close };
  } catch (error) {
    await close();
    throw error;
  }
}
