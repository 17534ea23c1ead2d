import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { RELEASE } from '../config/version.js';
import { QUEUES, type Queues } from '../delivery/queues/queues.js';
import { MOST_LISTED, WorkerListStore } from '../delivery/recovery/worker-list-store.js';
import { Operation } from '../http/openapi/operation.js';

const serviceResponse = z
  .object({
    version: z.string().meta({ description: 'The release of the process that answers.', example: RELEASE }),
    queue_backend: z.enum(['redis', 'postgres']).meta({ description: 'Where the queues are.' }),
    workers: z
      .array(
        z.object({
          instance: z.string().meta({ description: 'Name of the process: `INSTANCE_NAME`.' }),
          alive: z.boolean().meta({ description: 'Whether its database session is open.' }),
          started_at: z.iso.datetime(),
          last_seen_at: z.iso.datetime().meta({
            description: 'When it last showed that it lives: `time` if it is alive, else up to 15 seconds early.',
          }),
        }),
      )
      .meta({
        description: `The workers, at most ${MOST_LISTED}. A worker that stops leaves the list, and another worker removes a dead one from it within seconds. Without a worker that is alive, events wait.`,
      }),
    time: z.iso.datetime().meta({ description: 'The time of the database, which all times of the API are from.' }),
  })
  .meta({ id: 'Service', description: 'What runs here.' });

type ServiceResponse = z.infer<typeof serviceResponse>;

/** What runs here. */
@Controller('/service')
export class ServiceController {
  constructor(
    @Inject(WorkerListStore) private readonly workers: WorkerListStore,
    @Inject(QUEUES) private readonly queues: Queues,
  ) {}

  @Get()
  @Operation({
    id: 'getService',
    access: 'self',
    summary: 'Get what runs here',
    description: 'The release, the queue backend, and which workers are alive. The same for every account.',
    tag: 'service',
    tagDescription: 'The service itself.',
    response: serviceResponse,
  })
  async get(): Promise<ServiceResponse> {
    const { now, workers } = await this.workers.list();
    return {
      version: RELEASE,
      queue_backend: this.queues.backend,
      workers: workers.map(({ instance, alive, startedAt, lastSeenAt }) => ({
        instance,
        alive,
        started_at: startedAt.toISOString(),
        last_seen_at: lastSeenAt.toISOString(),
      })),
      time: now.toISOString(),
    };
  }
}
