import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { projectedPayload } from './projection.js';

const salt = Buffer.alloc(32, 7);
const event = {
  event_id: 'evt_1',
  event_type: 'order_updated.v0',
  event_timestamp: '2026-11-20T10:00:00.000Z',
  account_id: 'acc_1',
  principal: { id: 'usr_1', subject: 'Anna', credential: null },
  version: 2,
  object: {
    total: 5,
    card: { number: '4111', name: 'Anna' },
    lines: [
      { sku: 'a', note: 'x' },
      { sku: 'b', note: 'y' },
    ],
  },
  changes: { before: { card: { number: '4000', name: 'Anna' } }, after: { card: { number: '4111', name: 'Anna' } } },
  request: { operation_id: 'op_1', ip: '192.0.2.1', user_agent: null },
};
const payload = JSON.stringify(event);

function hash(text: string): string {
  return `hmac-sha256:${createHmac('sha256', salt).update(text).digest('hex')}`;
}

function projected(...fields: Parameters<typeof projectedPayload>[1]): unknown {
  return JSON.parse(projectedPayload(payload, fields, salt));
}

test('excluded members are absent, in the old and new values too', () => {
  expect(projected({ exclude: ['/object/card/number', '/request', '/object/lines/*/note'] })).toEqual({
    ...event,
    object: { total: 5, card: { name: 'Anna' }, lines: [{ sku: 'a' }, { sku: 'b' }] },
    changes: { before: { card: { name: 'Anna' } }, after: { card: { name: 'Anna' } } },
    request: undefined,
  });
});

test('without the object, its old and new values are absent too', () => {
  expect(projected({ exclude: ['/object'] })).toEqual({ ...event, object: undefined, changes: {} });
});

test('only included members are sent, with those that identify and order events', () => {
  expect(projected({ include: ['/object/total', '/object/card/name'] })).toEqual({
    event_id: 'evt_1',
    event_type: 'order_updated.v0',
    event_timestamp: '2026-11-20T10:00:00.000Z',
    account_id: 'acc_1',
    version: 2,
    object: { total: 5, card: { name: 'Anna' } },
    changes: { before: { card: { name: 'Anna' } }, after: { card: { name: 'Anna' } } },
  });
});

test('hashed values are equal where the values are, and null stays null', () => {
  const result = projected({
    hash: ['/object/card/name', '/principal/subject', '/principal/credential', '/object/total'],
  });
  const anna = hash('"Anna"');
  expect(result).toMatchObject({
    principal: { subject: anna, credential: null },
    object: { total: hash('5'), card: { number: '4111', name: anna } },
    changes: { before: { card: { name: anna } }, after: { card: { name: anna } } },
  });
});

test('of two sources, each hides what it hides from the whole', () => {
  const both = projected(
    { include: ['/object', '/principal'] },
    { exclude: ['/object/card'], hash: ['/principal/subject'] },
  );
  expect(both).toMatchObject({ object: { total: 5 }, principal: { subject: hash('"Anna"') } });
  expect(both).not.toHaveProperty('object.card');
  expect(both).not.toHaveProperty('request');
  expect(both).toEqual(
    projected({ exclude: ['/object/card'], hash: ['/principal/subject'] }, { include: ['/object', '/principal'] }),
  );
});

test('a pointer to an absent member changes nothing', () => {
  expect(projected({ exclude: ['/object/missing/x'], hash: ['/object/lines/7/sku'] })).toEqual(event);
});
