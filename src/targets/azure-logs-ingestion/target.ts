import type { Target } from '../target.js';
import { connectionWithoutSecret, wholeCallConnection } from '../whole-calls.js';
import { loadSdk } from './client.js';
import { logIngestionConfig, type LogIngestionConfig } from './config.js';
import { logIngestionLimits, sizedRow } from './encode.js';
import { rowTooLarge } from './errors.js';
import { Ingestion } from './send.js';

/** Azure Monitor Logs: its Logs Ingestion API. */
export const logIngestion: Target<LogIngestionConfig> = {
  kind: 'log_ingestion',
  title: 'Azure Monitor Logs',
  limits: logIngestionLimits,
  config: logIngestionConfig,
  secretFields: ['client_secret'],
  credentials: ['tenant_id', 'client_id', 'client_secret'],
  loadClient: async () => {
    await loadSdk();
  },
  connect: (config, { settings }) => {
    if (!config.client_secret) {
      return connectionWithoutSecret(
        'missing_client_secret',
        'The destination has no client secret. Set `client_secret`.',
      );
    }
    const ingestion = new Ingestion(config, config.client_secret, settings);
    return wholeCallConnection({
      limits: logIngestionLimits,
      timeoutMs: settings.sendTimeoutMs,
      encode: sizedRow,
      tooLarge: rowTooLarge,
      send: (part, signal) => {
        const rows = part.map(({ row }) => row);
        return ingestion.submit(rows, signal);
      },
    });
  },
};
