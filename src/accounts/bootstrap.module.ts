import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DATABASE, type Database } from '../database/database.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { bootstrap } from './bootstrap.js';

/** Creates the first account with its admin and API key, when the database has none. */
@Module({})
export class BootstrapModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(DATABASE) private readonly db: Database,
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
  ) {}

  async onModuleInit(): Promise<void> {
    const { showKey = () => {} } = this.lifecycle.host;
    await bootstrap(this.db, this.config, this.logger, showKey);
  }
}
