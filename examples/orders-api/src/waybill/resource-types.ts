/** A resource type as `POST /resource_types` takes it. */
export interface ResourceType {
  readonly name: string;
  readonly description: string;
  readonly actions: readonly string[];
  readonly changes: 'given' | 'computed';
  readonly redact: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
}

const uuid = { type: 'string', format: 'uuid' };
const time = { type: 'string', format: 'date-time' };
const cents = { type: 'integer', minimum: 0 };
const revision = { type: 'integer', minimum: 1 };

/** Returns the schema of an object that has all of these members and no others. */
function exactly(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** The kinds of resources whose changes this API publishes. */
export const resourceTypes: readonly ResourceType[] = [
  {
    name: 'customer',
    description: 'A customer of the orders API.',
    actions: ['created', 'updated', 'deleted'],
    // The outbox reads the row before and after the change.
    changes: 'given',
    // Auditors must not see addresses: they are null in everything that Waybill stores.
    redact: ['/email'],
    schema: exactly({
      id: uuid,
      name: { type: 'string', maxLength: 200 },
      email: { type: ['string', 'null'] },
      credit_limit_cents: cents,
      revision,
      created_at: time,
    }),
  },
  {
    name: 'order',
    description: 'An order of a customer.',
    actions: ['created', 'updated', 'cancelled'],
    // Waybill compares each object with the last one.
    changes: 'computed',
    redact: [],
    schema: exactly({
      id: uuid,
      customer_id: uuid,
      status: { enum: ['open', 'paid', 'cancelled'] },
      lines: {
        type: 'array',
        maxItems: 20,
        items: exactly({ sku: { type: 'string' }, quantity: { type: 'integer' }, unit_cents: cents }),
      },
      total_cents: cents,
      paid_cents: cents,
      revision,
      created_at: time,
    }),
  },
  {
    name: 'payment',
    description: 'A payment of an order. The events come from a trigger on the table.',
    actions: ['created', 'updated', 'deleted'],
    // The trigger knows the row before and after the change.
    changes: 'given',
    redact: [],
    schema: exactly({
      id: uuid,
      order_id: uuid,
      method: { enum: ['card', 'transfer'] },
      amount_cents: cents,
      status: { enum: ['pending', 'settled', 'failed'] },
      revision,
      created_at: time,
    }),
  },
];
