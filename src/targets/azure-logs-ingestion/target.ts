import { sendWithinSize } from '../size-filter.js';
import type { Connection, ConnectionContext, DeliverableEvent, Outcome, Target } from '../target.js';
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
  connect: (config, context) => new LogIngestionConnection(config, context),
};

class LogIngestionConnection implements Connection {
  private readonly ingestion: Ingestion | undefined;
  private readonly timeoutMs: number;

  constructor(config: LogIngestionConfig, { settings }: ConnectionContext) {
    this.timeoutMs = settings.sendTimeoutMs;
    if (config.client_secret) this.ingestion = new Ingestion(config, config.client_secret, settings);
  }

  async send(events: readonly DeliverableEvent[], signal: AbortSignal): Promise<readonly Outcome[]> {
    const { ingestion } = this;
    if (!ingestion) {
      const reason = {
        code: 'missing_client_secret',
        message: 'The destination has no client secret. Set `client_secret`.',
      };
      return events.map(() => ({ kind: 'misconfigured', reason }));
    }
    return sendWithinSize(
      events.map((event) => sizedRow(event)),
      {
        limits: logIngestionLimits,
        tooLarge: rowTooLarge,
        send: (part) =>
          ingestion.submit(
            part.map(({ row }) => row),
            signal,
          ),
        timeoutMs: this.timeoutMs,
      },
    );
  }

  /** Does nothing: the library shares one agent in the process. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
