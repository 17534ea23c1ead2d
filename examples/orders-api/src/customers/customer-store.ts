import type { ClientBase, Pool } from 'pg';
import { oneRow } from '../database/one-row.js';
import type { Customer, CustomerUpdate, NewCustomer } from './customer.js';

/** The table `customers`. Every method but `insert` throws a NotFoundException if there is no such customer. */
export class CustomerStore {
  constructor(private readonly client: ClientBase | Pool) {}

  insert(customer: NewCustomer): Promise<Customer> {
    return this.one('insert into customers (name, email, credit_limit_cents) values ($1, $2, $3) returning *', [
      customer.name,
      customer.email,
      customer.credit_limit_cents,
    ]);
  }

  get(id: string): Promise<Customer> {
    return this.one('select * from customers where id = $1', [id]);
  }

  /** Reads the customer and locks it until the transaction ends. */
  lock(id: string): Promise<Customer> {
    return this.one('select * from customers where id = $1 for update', [id]);
  }

  update(id: string, update: CustomerUpdate): Promise<Customer> {
    return this.one(
      `update customers
       set name = coalesce($2, name), email = coalesce($3, email),
           credit_limit_cents = coalesce($4, credit_limit_cents), revision = revision + 1
       where id = $1
       returning *`,
      [id, update.name, update.email, update.credit_limit_cents],
    );
  }

  delete(id: string): Promise<Customer> {
    return this.one('delete from customers where id = $1 returning *', [id]);
  }

  private async one(statement: string, values: readonly unknown[]): Promise<Customer> {
    return oneRow(await this.client.query<Customer>(statement, [...values]), 'customer');
  }
}
