import 'reflect-metadata';
import {
  Body,
  Controller,
  Inject,
  Module,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  UseGuards,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
} from '@nestjs/common';
import { ModuleRef, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { RecordedTable } from '@waybill/outbox';
import { DataSource } from 'typeorm';
import { Order } from './typeorm.js';

/** What the example for NestJS with TypeORM uses. */
export interface Context {
  readonly DatabaseModule: DynamicModule;
  readonly Order: typeof Order;
  readonly orders: RecordedTable;
}

/** The classes that the example declares. */
export interface Declared {
  readonly AppModule: new () => object;
  readonly OrdersService: new (...given: never[]) => {
    create(title: string): Promise<{ id: number }>;
    rename(id: number, title: string): Promise<void>;
  };
}

@Module({})
class Database {}

/** Connects to the database. */
export async function open(
  url: string,
): Promise<{ context: Omit<Context, 'orders'>; dataSource: DataSource; close: () => Promise<void> }> {
  const dataSource = await new DataSource({ type: 'postgres', url, entities: [Order] }).initialize();
  const DatabaseModule = {
    module: Database,
    global: true,
    providers: [{ provide: DataSource, useValue: dataSource }],
    exports: [DataSource],
  };
  return { context: { DatabaseModule, Order }, dataSource, close: () => dataSource.destroy() };
}

/** Authentication by a header. */
class HeaderGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{ headers: Record<string, string>; user: unknown }>();
    request.user = { id: request.headers['x-user'] };
    return true;
  }
}

/** Starts the module of the example with a controller and a guard. */
export async function listen({
  AppModule,
  OrdersService,
}: Declared): Promise<{ address: string; close: () => Promise<void> }> {
  @Controller('orders')
  @UseGuards(new HeaderGuard())
  class OrdersController {
    constructor(@Inject(ModuleRef) private readonly modules: ModuleRef) {}

    @Post()
    create(@Body() { title }: { title: string }): Promise<unknown> {
      return this.modules.get(OrdersService, { strict: false }).create(title);
    }

    @Patch(':id')
    rename(@Param('id', ParseIntPipe) id: number, @Body() { title }: { title: string }): Promise<void> {
      return this.modules.get(OrdersService, { strict: false }).rename(id, title);
    }
  }
  @Module({ imports: [AppModule], controllers: [OrdersController] })
  class Application {}
  const app = await NestFactory.create(Application, new FastifyAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  return { address: await app.getUrl(), close: () => app.close() };
}
