import { Lifecycle } from '../lifecycle/lifecycle.js';
import { provide, type Provider } from '../lifecycle/provide.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { CONFIG, type Config } from './config.js';
import { RETENTION, retentionOf } from './retention.js';

/** The settings, the log and the lifecycle of a process. */
export function processProviders(config: Config, logger: Logger, lifecycle: Lifecycle): readonly Provider[] {
  return [
    provide(CONFIG, [], () => config),
    provide(RETENTION, [], () => retentionOf(config)),
    provide(LOGGER, [], () => logger),
    provide(Lifecycle, [], () => lifecycle),
  ];
}
