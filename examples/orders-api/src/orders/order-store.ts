import type { ClientBase, Pool } from 'pg';
import { oneRow } from '../database/one-row.js';
import { totalOf, type NewOrder, type Order, type OrderLine } from './order.js';

/** The table `orders`. Methods that take an id throw a NotFoundException if there is no such order. */
export class OrderStore {
  constructor(private readonly client: ClientBase | Pool) {}

  insert({ customer_id: customerId, lines }: NewOrder): Promise<Order> {
    return this.one('insert into orders (customer_id, lines, total_cents) values ($1, $2, $3) returning *', [
      customerId,
      JSON.stringify(lines),
      totalOf(lines),
    ]);
  }

  get(id: string): Promise<Order> {
    return this.one('select * from orders where id = $1', [id]);
  }

  /** Reads the order and locks it until the transaction ends. */
  lock(id: string): Promise<Order> {
    return this.one('select * from orders where id = $1 for update', [id]);
  }

  setLines(id: string, lines: readonly OrderLine[]): Promise<Order> {
    return this.one(
      'update orders set lines = $2, total_cents = $3, revision = revision + 1 where id = $1 returning *',
      [id, JSON.stringify(lines), totalOf(lines)],
    );
  }

  /** Adds a payment. The order is paid when nothing is left to pay. */
  addPayment(id: string, amountCents: number): Promise<Order> {
    return this.one(
      `update orders
       set paid_cents = paid_cents + $2, revision = revision + 1,
           status = case when paid_cents + $2 = total_cents then 'paid' else status end
       where id = $1
       returning *`,
      [id, amountCents],
    );
  }

  cancel(id: string): Promise<Order> {
    return this.one(`update orders set status = 'cancelled', revision = revision + 1 where id = $1 returning *`, [id]);
  }

  /** Returns what a customer has to pay for all open orders. */
  async openCents(customerId: string): Promise<number> {
    const { rows } = await this.client.query<{ cents: string | null }>(
      `select sum(total_cents - paid_cents) as cents from orders where customer_id = $1 and status = 'open'`,
      [customerId],
    );
    return Number(rows[0]?.cents ?? 0);
  }

  private async one(statement: string, values: readonly unknown[]): Promise<Order> {
    return oneRow(await this.client.query<Order>(statement, [...values]), 'order');
  }
}
