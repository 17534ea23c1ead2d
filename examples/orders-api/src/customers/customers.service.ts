import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { Audited, OutboxRecorder } from '@waybill/outbox/nestjs';
import { Database } from '../database/database.js';
import { isForeignKeyViolation } from '../database/sql-state.js';
import { CustomerStore } from './customer-store.js';
import type { Customer, CustomerUpdate, NewCustomer } from './customer.js';

const customers = { table: 'public.customers', type: 'customer' };

/** Customers. `@Audited` puts each change and its event into one transaction. */
@Injectable()
export class CustomersService {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(OutboxRecorder) private readonly outbox: OutboxRecorder,
  ) {}

  get(id: string): Promise<Customer> {
    return new CustomerStore(this.database.pool).get(id);
  }

  @Audited(customers, { createdId: ({ id }: Customer) => id })
  create(customer: NewCustomer): Promise<Customer> {
    return new CustomerStore(this.outbox.client()).insert(customer);
  }

  @Audited(customers, { id: (id: string) => id })
  update(id: string, update: CustomerUpdate): Promise<Customer> {
    return new CustomerStore(this.outbox.client()).update(id, update);
  }

  /** @throws ConflictException if the customer has orders */
  @Audited(customers, { id: (id: string) => id })
  async delete(id: string): Promise<Customer> {
    try {
      return await new CustomerStore(this.outbox.client()).delete(id);
    } catch (error) {
      if (isForeignKeyViolation(error)) throw new ConflictException('The customer has orders.');
      throw error;
    }
  }
}
