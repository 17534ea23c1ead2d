import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { record, type OutboxEvent } from '@waybill/outbox';
import { Database } from '../database/database.js';
import { isForeignKeyViolation } from '../database/sql-state.js';
import type { Caller } from '../http/caller.js';
import { CustomerStore } from './customer-store.js';
import type { Customer, CustomerUpdate, NewCustomer } from './customer.js';

/** Customers. Each change and its event are in one transaction. */
@Injectable()
export class CustomersService {
  constructor(@Inject(Database) private readonly database: Database) {}

  create(caller: Caller, customer: NewCustomer): Promise<Customer> {
    return this.database.transaction(caller, async (client) => {
      const created = await new CustomerStore(client).insert(customer);
      await record(client, customerEvent('created', created));
      return created;
    });
  }

  get(id: string): Promise<Customer> {
    return new CustomerStore(this.database.pool).get(id);
  }

  update(caller: Caller, id: string, update: CustomerUpdate): Promise<Customer> {
    return this.database.transaction(caller, async (client) => {
      const updated = await new CustomerStore(client).update(id, update);
      await record(client, customerEvent('updated', updated));
      return updated;
    });
  }

  /** @throws ConflictException if the customer has orders */
  async delete(caller: Caller, id: string): Promise<void> {
    try {
      await this.database.transaction(caller, async (client) => {
        const deleted = await new CustomerStore(client).delete(id);
        await record(client, customerEvent('deleted', deleted));
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw new ConflictException('The customer has orders.');
      throw error;
    }
  }
}

function customerEvent(action: 'created' | 'updated' | 'deleted', customer: Customer): OutboxEvent {
  return { type: `customer_${action}.v0`, resourceId: customer.id, object: { ...customer } };
}
