import type { Target } from '../target.js';
import { connectionWithoutSecret, wholeCallConnection } from '../whole-calls.js';
import { intakeUrl, monitoringConfig, type MonitoringConfig } from './config.js';
import { monitoringLimits, sizedEntry } from './encode.js';
import { entryTooLarge } from './errors.js';
import { loadSdk } from './sdk.js';
import { submit } from './send.js';

/** Datadog Logs: POST /api/v2/logs of its HTTP intake. */
export const monitoring: Target<MonitoringConfig> = {
  kind: 'monitoring',
  title: 'Datadog Logs',
  limits: monitoringLimits,
  config: monitoringConfig,
  secretFields: ['api_key'],
  // An API key is of one site.
  credentials: ['api_key', 'site'],
  loadClient: async () => {
    await loadSdk();
  },
  connect: (config, { settings }) => {
    if (!config.api_key) {
      return connectionWithoutSecret('missing_api_key', 'The destination has no API key. Set `api_key`.');
    }
    const url = settings.monitoringEndpoint ?? intakeUrl(config.site);
    const intake = { url: url.replace(/\/+$/, ''), apiKey: config.api_key };
    return wholeCallConnection({
      limits: monitoringLimits,
      timeoutMs: settings.sendTimeoutMs,
      encode: (event, nowMs) => sizedEntry(event, config, nowMs),
      tooLarge: entryTooLarge,
      send: (part, signal) => {
        const entries = part.map(({ entry }) => entry);
        return submit(intake, entries, signal);
      },
    });
  },
};
