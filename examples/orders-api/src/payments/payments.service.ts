import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { OutboxRecorder } from '@waybill/outbox/nestjs';
import { Database } from '../database/database.js';
import { orderEvent } from '../orders/order-event.js';
import { OrderStore } from '../orders/order-store.js';
import { PaymentStore } from './payment-store.js';
import type { NewPayment, Payment } from './payment.js';

/** Payments. A trigger on the table records their events, also those of changes by plain SQL. */
@Injectable()
export class PaymentsService {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(OutboxRecorder) private readonly outbox: OutboxRecorder,
  ) {}

  /**
   * Adds a payment to an order: two rows change, and two events are recorded.
   * @throws ConflictException if the order is not open, or less is left to pay
   */
  pay(orderId: string, payment: NewPayment): Promise<Payment> {
    return this.outbox.transaction(async () => {
      const client = this.outbox.client();
      const orders = new OrderStore(client);
      const order = await orders.lock(orderId);
      const paid = await new PaymentStore(client).insert(orderId, payment);
      // The payment and its event are rolled back.
      if (order.status !== 'open') throw new ConflictException(`The order is ${order.status}.`);
      if (order.paid_cents + payment.amount_cents > order.total_cents)
        throw new ConflictException(`Only ${order.total_cents - order.paid_cents} is left to pay.`);
      const updated = await orders.addPayment(orderId, payment.amount_cents);
      await this.outbox.record(orderEvent('updated', updated));
      return paid;
    });
  }

  get(id: string): Promise<Payment> {
    return new PaymentStore(this.database.pool).get(id);
  }

  /** @throws NotFoundException if there is no such pending payment */
  settle(id: string): Promise<Payment> {
    return this.outbox.transaction(() => new PaymentStore(this.outbox.client()).settle(id));
  }
}
