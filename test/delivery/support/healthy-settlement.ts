/** What a settlement says beside its deliveries when the target accepted every record. */
export const healthySettlement = {
  status: 'healthy',
  failures: 0,
  delayMs: null,
  freesLane: false,
  nextSequence: null,
  error: null,
  interruption: null,
  latestTimestampMs: null,
  latencies: [],
  rejections: null,
  outcome: 'healthy',
  startedAt: new Date(),
  durationMs: 1,
} as const;
