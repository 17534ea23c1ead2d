/** What settles an attempt at a destination that works, but for the deliveries. */
export const healthy = {
  status: 'healthy',
  failures: 0,
  delayMs: null,
  frees: false,
  nextSequence: null,
  error: null,
  interruption: null,
  outcome: 'healthy',
  startedAt: new Date(),
  durationMs: 1,
} as const;
