import type { ClientBase, Pool } from 'pg';
import { oneRow } from '../database/one-row.js';
import type { NewPayment, Payment } from './payment.js';

const COLUMNS = 'id, order_id, method, amount_cents, status, revision, created_at';

/** The table `payments`. Methods that take an id throw a NotFoundException if there is no such payment. */
export class PaymentStore {
  constructor(private readonly client: ClientBase | Pool) {}

  insert(orderId: string, payment: NewPayment): Promise<Payment> {
    return this.one(
      `insert into payments (order_id, method, amount_cents, provider_token) values ($1, $2, $3, $4) returning ${COLUMNS}`,
      [orderId, payment.method, payment.amount_cents, payment.provider_token],
    );
  }

  get(id: string): Promise<Payment> {
    return this.one(`select ${COLUMNS} from payments where id = $1`, [id]);
  }

  settle(id: string): Promise<Payment> {
    return this.one(
      `update payments set status = 'settled', revision = revision + 1 where id = $1 and status = 'pending' returning ${COLUMNS}`,
      [id],
    );
  }

  private async one(statement: string, values: readonly unknown[]): Promise<Payment> {
    return oneRow(await this.client.query<Payment>(statement, [...values]), 'payment');
  }
}
