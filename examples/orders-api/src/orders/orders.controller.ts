import { Body, Controller, Get, HttpCode, Inject, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { newOrder, orderUpdate, type NewOrder, type Order, type OrderUpdate } from './order.js';
import { OrdersService } from './orders.service.js';

@Controller('/orders')
export class OrdersController {
  constructor(@Inject(OrdersService) private readonly orders: OrdersService) {}

  @Post()
  place(@Body({ schema: newOrder }) body: NewOrder): Promise<Order> {
    return this.orders.place(body);
  }

  @Get(':id')
  get(@Param('id', ParseUUIDPipe) id: string): Promise<Order> {
    return this.orders.get(id);
  }

  @Patch(':id')
  update(@Param('id', ParseUUIDPipe) id: string, @Body({ schema: orderUpdate }) body: OrderUpdate): Promise<Order> {
    return this.orders.update(id, body);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  cancel(@Param('id', ParseUUIDPipe) id: string): Promise<Order> {
    return this.orders.cancel(id);
  }
}
