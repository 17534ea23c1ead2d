import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { OutboxRecorder } from '@waybill/outbox/nestjs';
import type { ClientBase } from 'pg';
import { CustomerStore } from '../customers/customer-store.js';
import type { Customer } from '../customers/customer.js';
import { Database } from '../database/database.js';
import { orderEvent } from './order-event.js';
import { OrderStore } from './order-store.js';
import type { NewOrder, Order, OrderUpdate } from './order.js';

/** Orders. Each change and its event are in one transaction. */
@Injectable()
export class OrdersService {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(OutboxRecorder) private readonly outbox: OutboxRecorder,
  ) {}

  /** @throws ConflictException if the open orders exceed the customer's credit limit */
  place(order: NewOrder): Promise<Order> {
    return this.outbox.transaction(async () => {
      const client = this.outbox.client();
      const customer = await new CustomerStore(client).lock(order.customer_id);
      const placed = await new OrderStore(client).insert(order);
      await this.outbox.record(orderEvent('created', placed));
      // An order that exceeds the limit is rolled back, and its event with it.
      await assertWithinLimit(client, customer);
      return placed;
    });
  }

  get(id: string): Promise<Order> {
    return new OrderStore(this.database.pool).get(id);
  }

  /** @throws ConflictException if the order is not open, something was paid, or the credit limit is exceeded */
  update(id: string, { lines }: OrderUpdate): Promise<Order> {
    return this.outbox.transaction(async () => {
      const client = this.outbox.client();
      const orders = new OrderStore(client);
      const { customer_id: customerId } = await orders.get(id);
      // Locks are taken in the order of `place`: first the customer.
      const customer = await new CustomerStore(client).lock(customerId);
      assertChangeable(await orders.lock(id));
      const updated = await orders.setLines(id, lines);
      await this.outbox.record(orderEvent('updated', updated));
      await assertWithinLimit(client, customer);
      return updated;
    });
  }

  /** @throws ConflictException if the order is not open, or something was paid */
  cancel(id: string): Promise<Order> {
    return this.outbox.transaction(async () => {
      const client = this.outbox.client();
      const orders = new OrderStore(client);
      assertChangeable(await orders.lock(id));
      const cancelled = await orders.cancel(id);
      await this.outbox.record(orderEvent('cancelled', cancelled));
      return cancelled;
    });
  }
}

function assertChangeable({ status, paid_cents: paid }: Order): void {
  if (status !== 'open') throw new ConflictException(`The order is ${status}.`);
  if (paid > 0) throw new ConflictException('A part of the order is paid.');
}

async function assertWithinLimit(client: ClientBase, customer: Customer): Promise<void> {
  const open = await new OrderStore(client).openCents(customer.id);
  if (open > customer.credit_limit_cents)
    throw new ConflictException(`The open orders would be ${open}, over the limit of ${customer.credit_limit_cents}.`);
}
