import { Body, Controller, Delete, Get, Inject, Param, Put, UseInterceptors, type Type } from '@nestjs/common';
import { withIndefiniteArticle } from '../../../events/catalogue/indefinite-article.js';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import type { Versioned } from '../../../http/response/etag.js';
import {
  pascalCase,
  type Attributes,
  type ModuleDefinition,
  type ResourceDefinition,
} from '../definition/definition.js';
import { serviceToken, type ResourceService } from '../service/resource-service.js';
import { DocumentedPath } from './documented-path.js';
import { existenceFirst } from './existence-first.js';
import { parentIdIn, repeatedParameter, withoutRepeated, type PathParameters } from './path-parameters.js';
import { repeatable } from './resource-controller.js';

/** Returns the controller of one module of a family: replace, get, remove. */
export function moduleController(definition: ResourceDefinition, module: ModuleDefinition): Type {
  const { name, title, input, read } = module;
  const id = `${pascalCase(definition.name)}${pascalCase(name)}`;
  const tag = definition.title.many;
  const of = `the ${title} module of ${withIndefiniteArticle(definition.title.one)}`;
  const responses = { tag, response: read, versioned: true };
  const path = `${definition.path}/:id/${name}`;
  const schema = input.safeExtend({ ...repeatable(definition), id: repeatedParameter });

  @Controller(path)
  class ModuleController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Put()
    @UseInterceptors(existenceFirst(definition))
    @DocumentedPath(path)
    @Operation({
      ...responses,
      id: `replace${id}`,
      access: 'change',
      summary: `Replace ${of}`,
      description: 'Fields that are left out take their defaults. Secrets that are left out stay unchanged.',
    })
    replace(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @Body({ schema }) body: Attributes,
    ): Promise<Versioned> {
      return this.service
        .within(parentIdIn(definition, parameters))
        .replaceModule(context, parameters.id ?? '', name, withoutRepeated(body, parameters));
    }

    @Get()
    @DocumentedPath(path)
    @Operation({ ...responses, id: `get${id}`, access: 'read', summary: `Get ${of}` })
    get(@Context() context: RequestContext, @Param() parameters: PathParameters): Promise<Versioned> {
      return this.service.within(parentIdIn(definition, parameters)).getModule(context, parameters.id ?? '', name);
    }

    @Delete()
    @DocumentedPath(path)
    @Operation({ id: `delete${id}`, access: 'change', summary: `Remove ${of}`, tag, status: 204 })
    remove(@Context() context: RequestContext, @Param() parameters: PathParameters): Promise<void> {
      return this.service.within(parentIdIn(definition, parameters)).removeModule(context, parameters.id ?? '', name);
    }
  }
  return ModuleController;
}
