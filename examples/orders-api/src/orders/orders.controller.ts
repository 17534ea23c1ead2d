import { Body, Controller, Get, HttpCode, Inject, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { FromCaller, type Caller } from '../http/caller.js';
import { newOrder, orderUpdate, type NewOrder, type Order, type OrderUpdate } from './order.js';
import { OrdersService } from './orders.service.js';

@Controller('/orders')
export class OrdersController {
  constructor(@Inject(OrdersService) private readonly orders: OrdersService) {}

  @Post()
  place(@FromCaller() caller: Caller, @Body({ schema: newOrder }) body: NewOrder): Promise<Order> {
    return this.orders.place(caller, body);
  }

  @Get(':id')
  get(@Param('id', ParseUUIDPipe) id: string): Promise<Order> {
    return this.orders.get(id);
  }

  @Patch(':id')
  update(
    @FromCaller() caller: Caller,
    @Param('id', ParseUUIDPipe) id: string,
    @Body({ schema: orderUpdate }) body: OrderUpdate,
  ): Promise<Order> {
    return this.orders.update(caller, id, body);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  cancel(@FromCaller() caller: Caller, @Param('id', ParseUUIDPipe) id: string): Promise<Order> {
    return this.orders.cancel(caller, id);
  }
}
