import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveDocs } from './docs.js';

@Module({})
class Empty {}

let app: NestFastifyApplication;
beforeEach(async () => {
  app = await NestFactory.create<NestFastifyApplication>(Empty, new FastifyAdapter(), { logger: false });
});
afterEach(() => app.close());

const read = () => app.inject({ url: '/openapi.json' });

test('the document is read once, however many request it before it is read', async () => {
  let reads = 0;
  serveDocs(app, async () => `{"reads":${(reads += 1)}}`);
  const responses = await Promise.all(Array.from({ length: 20 }, read));
  expect(new Set(responses.map(({ body }) => body))).toEqual(new Set(['{"reads":1}']));
});

test('the document is read again after a failure', async () => {
  let fails = true;
  serveDocs(app, () => {
    if (fails) throw new Error('no such file');
    return '{}';
  });
  expect((await read()).statusCode).toBe(500);
  fails = false;
  expect((await read()).body).toBe('{}');
});
