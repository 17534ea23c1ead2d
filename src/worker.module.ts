import { Module } from '@nestjs/common';

/**
 * The role `worker` where it stands alone: no routes but the health that every process serves. The delivering itself is
 * `delivery/worker.ts`, which needs nothing of Nest.
 */
@Module({})
export class WorkerModule {}
