import { sendWithinSize } from '../size-filter.js';
import type { Connection, ConnectionContext, DeliverableEvent, Outcome, Target } from '../target.js';
import { intakeUrl, monitoringConfig } from './config.js';
import type { MonitoringConfig } from './config.js';
import { monitoringLimits, sizedEntry } from './encode.js';
import { entryTooLarge } from './errors.js';
import { loadSdk } from './sdk.js';
import { submit } from './send.js';
import type { Intake } from './send.js';

/** Datadog Logs, through its HTTP intake (POST /api/v2/logs). */
export const monitoring: Target<MonitoringConfig> = {
  kind: 'monitoring',
  limits: monitoringLimits,
  config: monitoringConfig,
  secretFields: ['api_key'],
  prepare: async () => {
    await loadSdk();
  },
  connect: (config, context) => new MonitoringConnection(config, context),
};

class MonitoringConnection implements Connection {
  private readonly intake: Intake | undefined;
  private readonly timeoutMs: number;

  constructor(
    private readonly config: MonitoringConfig,
    { settings }: ConnectionContext,
  ) {
    this.timeoutMs = settings.sendTimeoutMs;
    const url = settings.monitoringEndpoint ?? intakeUrl(config.site);
    if (config.api_key) this.intake = { url: url.replace(/\/+$/, ''), apiKey: config.api_key };
  }

  async send(events: readonly DeliverableEvent[], signal: AbortSignal): Promise<readonly Outcome[]> {
    const { intake } = this;
    if (!intake) {
      const reason = { code: 'missing_api_key', message: 'The destination has no API key. Set `api_key`.' };
      return events.map(() => ({ kind: 'misconfigured', reason }));
    }
    const nowMs = Date.now();
    const entries = events.map((event) => sizedEntry(event, this.config, nowMs));
    return sendWithinSize(entries, {
      limits: monitoringLimits,
      tooLarge: entryTooLarge,
      send: (part) =>
        submit(
          intake,
          part.map(({ entry }) => entry),
          signal,
        ),
      timeoutMs: this.timeoutMs,
    });
  }

  /** Nothing to free: the sockets belong to the process. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
