import { Module, type DynamicModule } from '@nestjs/common';
import { WaybillOutboxModule } from '@waybill/outbox/nestjs';
import { CustomersController } from './customers/customers.controller.js';
import { CustomersService } from './customers/customers.service.js';
import { Database } from './database/database.js';
import { DatabaseModule } from './database/database.module.js';
import { callerOf } from './http/caller.js';
import { HealthController } from './http/health.controller.js';
import { OrdersController } from './orders/orders.controller.js';
import { OrdersService } from './orders/orders.service.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PaymentsService } from './payments/payments.service.js';

/** The root of the API. */
@Module({})
export class AppModule {
  static with(databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.with(databaseUrl),
        WaybillOutboxModule.forRootAsync({
          inject: [Database],
          useFactory: ({ pool }: Database) => ({ pool, context: callerOf }),
        }),
      ],
      controllers: [HealthController, CustomersController, OrdersController, PaymentsController],
      providers: [CustomersService, OrdersService, PaymentsService],
    };
  }
}
