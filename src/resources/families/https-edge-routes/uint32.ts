import { z } from 'zod';

/** An unsigned 32-bit integer, from `min` to `max`. */
export function uint32({ min = 0, max = 4_294_967_295 } = {}) {
  return z.int().min(min).max(max);
}
