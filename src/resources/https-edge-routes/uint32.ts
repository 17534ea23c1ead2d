import { z } from 'zod';

/** An unsigned number of 32 bits, 0 to `max`. */
export function uint32(max = 4_294_967_295) {
  return z.int().min(0).max(max);
}
