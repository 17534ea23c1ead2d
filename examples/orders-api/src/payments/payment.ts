import { z } from 'zod';

export const newPayment = z.strictObject({
  method: z.enum(['card', 'transfer']),
  amount_cents: z.int().min(1).max(100_000_000),
  provider_token: z.string().max(200).nullable().default(null),
});

export type NewPayment = z.infer<typeof newPayment>;

/** A row of `payments` without the provider's token, which never leaves the database. */
export interface Payment extends Omit<NewPayment, 'provider_token'> {
  readonly id: string;
  readonly order_id: string;
  readonly status: 'pending' | 'settled' | 'failed';
  readonly revision: number;
  readonly created_at: Date;
}
