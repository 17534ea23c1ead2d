import { Body, Controller, Get, HttpCode, Inject, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { newPayment, type NewPayment, type Payment } from './payment.js';
import { PaymentsService } from './payments.service.js';

@Controller()
export class PaymentsController {
  constructor(@Inject(PaymentsService) private readonly payments: PaymentsService) {}

  @Post('/orders/:id/payments')
  pay(@Param('id', ParseUUIDPipe) orderId: string, @Body({ schema: newPayment }) body: NewPayment): Promise<Payment> {
    return this.payments.pay(orderId, body);
  }

  @Get('/payments/:id')
  get(@Param('id', ParseUUIDPipe) id: string): Promise<Payment> {
    return this.payments.get(id);
  }

  @Post('/payments/:id/settle')
  @HttpCode(200)
  settle(@Param('id', ParseUUIDPipe) id: string): Promise<Payment> {
    return this.payments.settle(id);
  }
}
