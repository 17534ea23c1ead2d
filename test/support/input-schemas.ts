import { NestFactory, ModulesContainer } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { z } from 'zod';
import { AppModule } from '../../src/app.module.js';
import { readConfig } from '../../src/config/config.js';
import { sessionReport } from '../../src/data-plane/session-report.js';
import { Lifecycle } from '../../src/lifecycle/lifecycle.js';
import { createLogger } from '../../src/logging/logger.js';

/** A schema that validates a part of a request. */
export interface InputSchema {
  /** Class, method and kind of parameter. */
  readonly name: string;
  readonly schema: z.ZodType;
}

/** Metadata of Nest about the parameters of a handler: @nestjs/common, ROUTE_ARGS_METADATA. */
const PARAMETERS = '__routeArguments__';

/** The input schemas of every route of the API, and the report of the data plane. Nothing is opened. */
export async function inputSchemas(): Promise<readonly InputSchema[]> {
  const root = AppModule.forRoles(readConfig({ ROLES: 'api' }), createLogger('silent'), new Lifecycle());
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const modules = [...app.get(ModulesContainer).values()];
  const found = modules
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ metatype, name }) => schemasOf(metatype, name));
  await app.close();
  return [...found, { name: 'data plane, session', schema: sessionReport }];
}

function schemasOf(controller: unknown, name: unknown): readonly InputSchema[] {
  if (typeof controller !== 'function') return [];
  const prototype = controller.prototype as object;
  return Object.getOwnPropertyNames(prototype).flatMap((method) => {
    const parameters = (Reflect.getMetadata(PARAMETERS, controller, method) ?? {}) as Record<
      string,
      { schema?: unknown }
    >;
    return Object.values(parameters).flatMap(({ schema }) =>
      schema instanceof z.ZodType ? [{ name: `${String(name)}.${method}`, schema }] : [],
    );
  });
}
