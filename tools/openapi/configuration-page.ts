import { configSchema } from '../../src/config/config.js';
import { settingOf } from '../../src/config/setting.js';
import { markdownTable } from './markdown-table.js';

/** The page about settings: one row for each. */
export function makeConfigurationPage(): string {
  return `# Configuration

<!-- Made from src/config/config.ts by "npm run openapi". -->

Every setting is an environment variable; an empty one counts as unset. Settings that cannot be used, or not together, stop the
start before anything is opened, with a message that says what each takes and what was given; never a secret. At boot the
settings are logged, with secrets masked.

${makeConfigurationTable()}
`;
}

/** The table alone. */
export function makeConfigurationTable(): string {
  const rows = Object.entries(configSchema.shape).map(([name, schema]) => {
    const { initial, values, meaning } = settingOf(schema);
    const shownInitial = initial === undefined ? '' : `\`${initial}\``;
    return [`\`${name}\``, name === 'INSTANCE_NAME' ? 'the host name' : shownInitial, values, meaning];
  });
  return markdownTable(['Variable', 'Default', 'Values', 'Meaning'], rows);
}
