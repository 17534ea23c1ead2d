import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkRecords, nameResolver } from '../../src/certificates/dns-records.js';
import { DnsServer } from '../support/dns-server.js';

let dns: DnsServer;
beforeAll(async () => {
  dns = await DnsServer.start();
});
afterAll(() => dns.close());

const alias = (name: string) =>
  checkRecords(nameResolver([dns.address]), { type: 'CNAME', name, target: 'x1.cname.waybill.test' });
const delegation = (name: string) =>
  checkRecords(nameResolver([dns.address]), {
    type: 'NS',
    name,
    targets: ['ns1.waybill.test', 'ns2.waybill.test'],
  });

describe('the CNAME record of a domain', () => {
  it('is in place when it has the target, ignoring case', async () => {
    dns.records.set('app.example.com', { CNAME: 'X1.CNAME.waybill.test' });
    expect(await alias('app.example.com')).toBeNull();
  });

  it('is in place when a chain of records ends at the target', async () => {
    dns.records.set('a.example.com', { CNAME: 'b.example.com' });
    dns.records.set('b.example.com', { CNAME: 'x1.cname.waybill.test' });
    expect(await alias('a.example.com')).toBeNull();
  });

  it.each([
    ['missing.example.com', 'missing.example.com has no CNAME record. Set its CNAME record to'],
    ['plain.example.com', 'plain.example.com has no CNAME record.'],
    ['wrong.example.com', 'wrong.example.com points to elsewhere.example.net.'],
    ['loop.example.com', 'has more than 8 records'],
  ])('is a DNS_ERROR that names the record: %s', async (name, words) => {
    dns.records.set('plain.example.com', {});
    dns.records.set('wrong.example.com', { CNAME: 'elsewhere.example.net' });
    dns.records.set('loop.example.com', { CNAME: 'loop.example.com' });
    expect(await alias(name)).toEqual({
      code: 'DNS_ERROR',
      message: expect.stringContaining(words) as string,
    });
  });

  it('is an INTERNAL_ERROR when the name server fails', async () => {
    dns.records.set('broken.example.com', 'servfail');
    expect(await alias('broken.example.com')).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'The lookup of the CNAME record of broken.example.com failed (ESERVFAIL).',
    });
  });
});

it('ends a check after half a minute, however slow the name servers are', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const silent = () => new Promise<string[]>(() => undefined);
  const records = { type: 'CNAME', name: 'slow.example.com', target: 'x1.cname.waybill.test' } as const;
  const result = checkRecords({ resolveCname: silent, resolveNs: silent }, records);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await result).toEqual({
    code: 'INTERNAL_ERROR',
    message: 'The lookup of the CNAME record of slow.example.com failed (ETIMEOUT).',
  });
});

describe('the NS records of a domain', () => {
  it('are in place when all name servers belong to the service', async () => {
    dns.records.set('in.example.com', { NS: ['ns2.waybill.test', 'ns1.waybill.test'] });
    expect(await delegation('in.example.com')).toBeNull();
  });

  it.each([
    ['none.example.com', [], 'has no NS records'],
    ['half.example.com', ['ns1.waybill.test'], 'must be exactly ns1.waybill.test, ns2.waybill.test'],
    ['mixed.example.com', ['ns1.waybill.test', 'ns2.waybill.test', 'ns.example.net'], 'must be exactly'],
  ])('are a DNS_ERROR that names the records: %s', async (name, servers, words) => {
    dns.records.set(name, { NS: servers });
    expect(await delegation(name)).toEqual({
      code: 'DNS_ERROR',
      message: expect.stringContaining(words) as string,
    });
  });

  it('are named in part when there are hundreds', async () => {
    const servers = Array.from({ length: 240 }, (_, index) => `ns${index}.example.net`);
    const resolver = { resolveNs: () => Promise.resolve(servers), resolveCname: () => Promise.resolve([]) };
    const records = { type: 'NS', name: 'many.example.com', targets: ['ns1.waybill.test'] } as const;
    expect((await checkRecords(resolver, records))?.message).toBe(
      'many.example.com has the name servers ns0.example.net, ns1.example.net, ns2.example.net and 237 more. ' +
        'Its NS records must be exactly ns1.waybill.test.',
    );
  });
});
