import type { Logger } from '../../logging/logger.js';
import type { ConfigurationItem } from './configuration-reader.js';

/** One read of the configuration. */
export interface ConfigurationRead {
  readonly operationId: string;
  readonly ip: string;
  readonly kind: 'page' | 'changes';
  readonly items: readonly ConfigurationItem[];
}

/** The record of who read which secrets: one line for each read, with ids and without secrets. */
export class ReadLog {
  constructor(private readonly logger: Logger) {}

  record({ operationId, ip, kind, items }: ConfigurationRead): void {
    const withSecrets = items.filter(({ secrets }) => Object.keys(secrets).length > 0);
    this.logger.info(
      {
        operation_id: operationId,
        ip,
        read: kind,
        resources: items.length,
        accounts: [...new Set(items.map(({ account_id }) => account_id))],
        secrets_of: withSecrets.map(({ id }) => id),
      },
      'configuration read',
    );
  }
}
