import { StandardSchemaValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';

/** Creates the API on a migrated database, ready to listen. */
export async function createApp(databaseUrl: string): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(databaseUrl), new FastifyAdapter(), {
    abortOnError: false,
    logger: ['error', 'warn'],
  });
  return app.useGlobalPipes(new StandardSchemaValidationPipe());
}
