import { z } from 'zod';

const line = z.strictObject({
  sku: z.string().min(1).max(50),
  quantity: z.int().min(1).max(1_000),
  unit_cents: z.int().min(1).max(1_000_000),
});
const lines = z.array(line).max(20).min(1);

export const newOrder = z.strictObject({ customer_id: z.uuid(), lines });
export const orderUpdate = z.strictObject({ lines });

export type OrderLine = z.infer<typeof line>;
export type NewOrder = z.infer<typeof newOrder>;
export type OrderUpdate = z.infer<typeof orderUpdate>;

/** A row of `orders`, and its form in responses and events. */
export interface Order extends NewOrder {
  readonly id: string;
  readonly status: 'open' | 'paid' | 'cancelled';
  readonly total_cents: number;
  readonly paid_cents: number;
  readonly revision: number;
  readonly created_at: Date;
}

/** Returns the sum of the lines. */
export function totalOf(orderLines: readonly OrderLine[]): number {
  return orderLines.reduce((sum, { quantity, unit_cents: unit }) => sum + quantity * unit, 0);
}
