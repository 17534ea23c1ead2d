import type { Config } from '../config/config.js';
import type { Metrics, MetricsParts } from './metrics.js';

/** Creates the metrics when METRICS_TOKEN is set. Otherwise returns null, and prom-client is not loaded. */
export async function openMetrics(config: Pick<Config, 'METRICS_TOKEN'>, parts: MetricsParts): Promise<Metrics | null> {
  if (config.METRICS_TOKEN === undefined) return null;
  const { createMetrics } = await import('./metrics.js');
  return createMetrics(parts);
}
