import { sendWithinSize } from '../size-filter.js';
import type { Connection, ConnectionContext, DeliverableEvent, Outcome, Target } from '../target.js';
import { intakeUrl, monitoringConfig, type MonitoringConfig } from './config.js';
import { monitoringLimits, sizedEntry } from './encode.js';
import { entryTooLarge } from './errors.js';
import { loadSdk } from './sdk.js';
import { submit, type Intake } from './send.js';

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

  /** Does nothing: the process shares the sockets. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
