import { expect, it } from 'vitest';
import { ServerStarts } from './server-starts.js';

it('reports another start of the server once, not the first one and not each connection', () => {
  const starts = new ServerStarts();
  let changes = 0;
  starts.onChange(() => {
    changes += 1;
  });
  for (const startedAt of ['10:00', '10:00', '11:00', '11:00', '10:00']) starts.saw(startedAt);
  expect(changes).toBe(2);
});
