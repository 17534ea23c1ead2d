import { expect, it } from 'vitest';
import { curlOf } from './curl.js';

it('is a command with the address, the key of the shell and the version', () => {
  expect(curlOf('https://waybill.example.com/events/evt_1')).toBe(
    `curl 'https://waybill.example.com/events/evt_1' \\
  -H "Authorization: Bearer $WAYBILL_API_KEY" \\
  -H 'Service-Version: 2'`,
  );
});

it('quotes what a shell would read', () => {
  expect(curlOf("https://x.example/a'b")).toContain(String.raw`'https://x.example/a'\''b'`);
});
