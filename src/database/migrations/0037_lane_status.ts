/** The release before it works with this schema. */
export const additive = true;

/**
 * Finds the destinations of an account by their status. A claim and a settlement that keeps the status change no
 * indexed column: their update stays in the page.
 */
export const indexes = [
  { name: 'delivery_lanes_by_status', on: 'delivery_lanes (account_id, status, destination_id)' },
];

/** Changes no table. */
export async function up(): Promise<void> {}
