import { Test, TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { OrdersModule, OrdersService } from './orders';

describe('OrdersService', () => {
  let app: TestingModule;
  beforeAll(async () => {
    app = await Test.createTestingModule({ imports: [OrdersModule] }).compile();
  });
  afterAll(() => app.close());

  it('records what it changes', async () => {
    const service = app.get(OrdersService);
    const { id } = await service.create('x');
    await service.rename(id, 'y');
    const events = await app.get(DataSource).query(
      `select event ->> 'type' as type, event -> 'object' as object from waybill_outbox.events
       where event ->> 'type' like 'nest_11_order_%' order by position`,
    );
    expect(events).toEqual([
      { type: 'nest_11_order_created.v0', object: { id, title: 'x', price: 7 } },
      { type: 'nest_11_order_updated.v0', object: { id, title: 'y', price: 7 } },
    ]);
  });
});
