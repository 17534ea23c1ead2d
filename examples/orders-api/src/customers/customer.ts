import { z } from 'zod';

const fields = {
  name: z.string().min(1).max(200),
  email: z.email().max(254),
  credit_limit_cents: z.int().min(0).max(100_000_000),
};

export const newCustomer = z.strictObject(fields);
export const customerUpdate = z
  .strictObject(fields)
  .partial()
  .refine((update) => Object.keys(update).length > 0, { error: 'must have a member' });

export type NewCustomer = z.infer<typeof newCustomer>;
export type CustomerUpdate = z.infer<typeof customerUpdate>;

/** A row of `customers`, and its form in responses and events. */
export interface Customer extends NewCustomer {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Date;
}
