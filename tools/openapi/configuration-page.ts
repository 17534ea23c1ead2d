import { configSchema } from '../../src/config/config.js';
import { settingOf } from '../../src/config/setting.js';
import { families } from '../../src/resources/families.js';
import { quotaOf } from '../../src/resources/framework/writer/quotas.js';
import { markdownTable } from './markdown-table.js';

/** Makes the page about settings: one row for each. */
export function makeConfigurationPage(): string {
  const rows = Object.entries(configSchema.shape).map(([name, schema]) => {
    const { initial, values, meaning } = settingOf(schema);
    const shownInitial = initial === undefined ? '' : `\`${initial}\``;
    return [`\`${name}\``, name === 'INSTANCE_NAME' ? 'the host name' : shownInitial, values, meaning];
  });
  const quotas = families
    .filter(({ definition }) => definition.operations?.includes('create') !== false)
    .map(({ definition }) => [definition.title.many, `\`${definition.name}\``, String(quotaOf({}, definition))]);
  return `# Configuration

<!-- Generated from src/config/config.ts by "npm run generate". -->

Every setting is an environment variable; an empty one counts as unset. A setting with an invalid value, or settings that
contradict each other, stop the start before anything is opened. The message names the setting and what it accepts. It
shows the given value unless the setting is a secret. The service logs its settings when it starts, with secrets masked.

A variable whose name is a setting with a typing error stops the start as well: "did you mean REDIS_URL?". Names of at least 16
characters count with up to two errors, names of 5 to 15 characters with one. If another program reads that variable, set the setting
too, also to nothing (\`REDIS_URL=\`). A port in use is reported before anything is created.

${markdownTable(['Variable', 'Default', 'Values', 'Meaning'], rows)}

## Quotas

The default quota of each family, for each account. \`QUOTAS\` changes it. A create above the quota is refused with 409
\`quota_exceeded\`. Lowering a quota deletes nothing. What gateways report and what the service creates itself is not refused.

${markdownTable(['Family', 'Name in `QUOTAS`', 'Default'], quotas)}
`;
}
