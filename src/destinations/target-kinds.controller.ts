import { Controller, Get } from '@nestjs/common';
import { z } from 'zod';
import { Operation } from '../http/openapi/operation.js';
import { Context, type RequestContext } from '../http/request/request-context.js';
import { JsonItem, page, pageSchema, type Page } from '../http/response/pagination.js';
import { formSchemaOf } from '../targets/form-schema.js';
import { allTargets } from '../targets/registry.js';
import { targetKinds } from '../targets/target.js';

const targetKind = z
  .object({
    kind: z.enum(targetKinds).meta({ description: 'The member of `target` of a destination.' }),
    title: z.string().meta({ description: 'Name of the vendor’s service.', example: 'Kinesis Data Streams' }),
    description: z.string(),
    schema: z.looseObject({}).meta({
      description:
        'JSON Schema (2020-12) of the member in a new destination, without null values. `title` is the label of a field, `writeOnly` marks a secret. An object with `maxProperties: 1` is a choice of one of its members. An optional member that has no default may also be null.',
    }),
    credentials: z.array(z.string()).meta({
      description: 'Members that are credentials: the secrets, and what each of them belongs to.',
      example: ['auth'],
    }),
    permissions: z
      .object({
        actions: z.array(z.string()).meta({ description: 'Calls to the vendor.', example: ['kinesis:PutRecords'] }),
        resource: z
          .object({
            field: z.string().meta({ description: 'Member with the ARN of the target.' }),
            pattern: z.string().meta({ description: 'Regular expression. Its match in the ARN is the resource.' }),
            suffix: z.string().meta({ description: 'Text behind the match.' }),
          })
          .meta({ description: 'The resource of the statement.' }),
      })
      .nullable()
      .meta({
        description:
          'The statement of the policy that a role needs to write to the target. Null: Waybill assumes no role.',
      }),
  })
  .meta({ id: 'TargetKind' });

const PATH = '/target_kinds';

const listResponse = pageSchema('target_kinds', targetKind).extend({
  target_kinds: z.array(targetKind).meta({ description: 'All of them, in the order in which a form offers them.' }),
});

/** The kinds of target. */
@Controller(PATH)
export class TargetKindsController {
  private readonly items = allTargets.map(({ kind, title, config, secretFields, credentials, permissions = null }) => {
    const { description = '' } = config;
    const schema = formSchemaOf(config, secretFields);
    return new JsonItem(kind, JSON.stringify({ kind, title, description, schema, credentials, permissions }));
  });

  @Get()
  @Operation({
    id: 'listTargetKinds',
    access: 'read',
    summary: 'List the kinds of target',
    description: 'What a form for a destination needs: labels, limits, examples, and which fields are secrets.',
    tag: 'target kinds',
    tagDescription: 'The kinds of target that a destination can have, with the JSON Schema of their configuration.',
    response: listResponse,
  })
  list(@Context() { baseUrl }: Pick<RequestContext, 'baseUrl'>): Page {
    return page({ items: this.items, listKey: 'target_kinds', path: PATH, baseUrl });
  }
}
