import { z } from 'zod';
import { defineModule } from '../../framework/definition/modules.js';
import { uint32 } from './module-fields.js';

const MAX_BUCKETS = 128;

/** Rejection of requests while too many requests to the upstream fail. */
export const circuitBreakerModule = defineModule({
  name: 'circuit_breaker',
  title: 'circuit breaker',
  description: 'Rejects requests without contacting the upstream while too many requests fail.',
  input: {
    tripped_duration: uint32().default(10).meta({
      description: 'Seconds to wait after the circuit trips before the health of the upstream is evaluated again.',
    }),
    rolling_window: uint32()
      .default(10)
      .meta({ description: 'Length of the rolling window in which requests are counted, in seconds.' }),
    num_buckets: uint32({ min: 1, max: MAX_BUCKETS })
      .default(10)
      .meta({ description: 'Number of buckets in the rolling window, 1 to 128.' }),
    volume_threshold: uint32()
      .default(10)
      .meta({ description: 'Number of requests in a rolling window that can trip the circuit.' }),
    error_threshold_percentage: z.number().min(0).max(1).default(0.5).meta({
      description: 'Share of failed requests that trips the circuit: between 0 and 1.0, not 0 to 100.',
      example: 0.2,
    }),
  },
});
