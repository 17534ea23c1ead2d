import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { Operation } from '../http/openapi/operation.js';
import { Context, type RequestContext } from '../http/request/request-context.js';
import { LogLinks } from '../http/sessions/log-links.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { LogReader } from './log-reader.js';

const HOUR_MS = 3_600_000;

const linkRequest = z
  .strictObject({
    expires_in_hours: z
      .int()
      .min(1)
      .max(2_160)
      .default(168)
      .meta({ description: 'When the link ends: a week from now by default, and 90 days at most.' }),
  })
  .prefault({});

const linkResponse = z
  .object({
    url: z.string().meta({
      description:
        'Comes before the path of an operation that reads the log of the destination: `{url}/event_destinations/{id}/log/{epoch}/tile/0/000`. It needs no API key and no Service-Version. All who have it can read.',
      example: 'https://waybill.example.com/links/k1~AbCd',
    }),
    checkpoint_url: z.string().meta({ description: 'Address of the newest checkpoint of the newest log.' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'LogLink', description: 'A link that opens the log of one event destination.' });

/** Links for those who verify a log, and have no API key. */
@Controller('/event_destinations/:id/log_links')
export class LogLinksController {
  constructor(
    @Inject(LogLinks) private readonly links: LogLinks,
    @Inject(LogReader) private readonly logs: LogReader,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post()
  @Operation({
    id: 'createLogLink',
    access: 'export',
    summary: 'Create a link to a log',
    description:
      'Makes an address that reads the checkpoints, tiles and proofs of this event destination without an API key, until it expires. It ends before that when the API key of this request is deleted, so one key for each reader lets you end each link. Its requests have a rate limit of their own, and count for the account.',
    tag: 'proof',
    status: 201,
    response: linkResponse,
    optionalBody: true,
  })
  async create(
    @Context() { accountId, principal, credential, operationId, baseUrl }: RequestContext,
    @Param('id') id: string,
    @Body({ schema: linkRequest }) { expires_in_hours: hours }: z.infer<typeof linkRequest>,
  ): Promise<z.infer<typeof linkResponse>> {
    const epoch = await this.logs.newestEpoch(accountId, id);
    const until = Date.now() + hours * HOUR_MS;
    const { link, path } = this.links.create({ accountId, destinationId: id, keyId: credential?.id ?? '', until });
    const expires_at = new Date(until).toISOString();
    const fields = {
      link: link.id,
      destination: id,
      expires_at,
      operation_id: operationId,
      principal_id: principal.id,
    };
    this.logger.info({ ...fields, credential_id: link.keyId, account_id: accountId }, 'created a link to a log');
    const url = `${baseUrl}${path}`;
    return { url, checkpoint_url: `${url}/event_destinations/${id}/log/${epoch}/checkpoint`, expires_at };
  }
}
