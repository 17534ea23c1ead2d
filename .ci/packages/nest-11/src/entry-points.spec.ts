import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = ['@waybill/client', '@waybill/outbox'];

it.each(packages)('every entry point of %s can be required', (name) => {
  const folder = join(__dirname, '../node_modules', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const entry of Object.keys(exports)) {
    const file = require.resolve(join(name, entry));
    expect(file).toBe(join(folder, exports[entry].require.default));
    expect(Object.keys(require(file)).length).toBeGreaterThan(0);
  }
});
