import { Body, Controller, Inject, Post } from '@nestjs/common';
import { DATABASE, type Database } from '../../../database/database.js';
import {
  EventPreview,
  previewBody,
  previewResponse,
  type PreviewRequest,
  type PreviewResponse,
} from '../../../events/rules/event-preview.js';
import { PayloadSchemas } from '../../../events/rules/payload-schemas.js';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';

/** Previews of sources. */
@Controller('/event_subscriptions/preview')
export class EventPreviewController {
  private readonly preview: EventPreview;

  constructor(@Inject(DATABASE) db: Database, @Inject(PayloadSchemas) schemas: PayloadSchemas) {
    this.preview = new EventPreview(db, schemas);
  }

  @Post()
  @Operation({
    id: 'previewEventSource',
    access: 'read',
    summary: 'Preview a source of an event subscription',
    description:
      'Runs a source over the newest events of its type, and shows which of them match and what would be sent. Nothing is stored or sent, so an `Idempotency-Key` has no effect. Before the account has hashes, each preview shows other ones.',
    tag: 'event sources',
    response: previewResponse,
    costly: 'always',
  })
  run(
    @Context() context: RequestContext,
    @Body({ schema: previewBody }) body: PreviewRequest,
  ): Promise<PreviewResponse> {
    return this.preview.run(context, body);
  }
}
