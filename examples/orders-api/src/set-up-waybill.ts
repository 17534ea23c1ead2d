import { z } from 'zod';
import { runProgram } from './run-program.js';
import { parseEnvironment } from './settings.js';
import { registerTypes, writePublisherKey } from './waybill/set-up.js';
import { WaybillApi } from './waybill/waybill-api.js';

const settingsSchema = z.object({
  WAYBILL_URL: z.url({ protocol: /^https?$/ }),
  // The key of an admin. Only this program needs it.
  WAYBILL_ADMIN_KEY: z.string(),
  // File for the key of the relay.
  PUBLISHER_KEY_FILE: z.string(),
});

await runProgram(async () => {
  const settings = parseEnvironment(settingsSchema);
  const api = new WaybillApi(settings.WAYBILL_URL, settings.WAYBILL_ADMIN_KEY);
  await registerTypes(api);
  await writePublisherKey(api, settings.PUBLISHER_KEY_FILE);
});
