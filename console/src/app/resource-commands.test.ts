import type { RegisteredRouter } from '@tanstack/react-router';
import type { EventDestinationStatus } from '@waybill/client';
import { expect, it } from 'vitest';
import { actionCommands, destinationCommands } from './resource-commands.js';

const SUFFIX = '01jd00000000000000000000';

/** A status, as far as commands need it. */
function status(last: string, description: string | null): EventDestinationStatus {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { id: `ed_${SUFFIX}${last}`, description, muted: null } as EventDestinationStatus;
}

const statuses = [status('aa', null), status('bb', 'Lake of bb'), status('cc', ''), status('dd', 'Audit lake')];

function labelsFor(text: string): readonly string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return destinationCommands(text, statuses, {} as RegisteredRouter).map(({ label }) => label);
}

it('finds destinations by every word of their names', () => {
  expect(labelsFor('lake')).toEqual(['Lake of bb', 'Audit lake']);
  expect(labelsFor(' LAKE audit ')).toEqual(['Audit lake']);
  expect(labelsFor('')).toEqual([]);
});

it('finds destinations by the beginning of their ids, and by no other part', () => {
  expect(labelsFor('00')).toEqual([]);
  expect(labelsFor('ed_01j')).toHaveLength(statuses.length);
  expect(labelsFor(`ed_${SUFFIX}c`)).toEqual([`Destination ed_${SUFFIX}cc`]);
  expect(labelsFor('bb')).toEqual(['Lake of bb']);
});

it('acts on the destinations that a text names after a verb, as far as their state permits', () => {
  const done: string[] = [];
  const commands = (text: string) =>
    actionCommands(
      text,
      statuses.map((one, index) => ({ ...one, status: index === 1 ? 'paused' : 'healthy' })),
      (action, { name }) => done.push(`${action} ${name}`),
    );
  expect(commands('pause lake').map(({ label }) => label)).toEqual(['Pause Audit lake']);
  expect(commands('Resume lake').map(({ label }) => label)).toEqual(['Resume Lake of bb']);
  expect(commands('mute audit').map(({ label }) => label)).toEqual(['Mute Audit lake']);
  expect(commands('unmute audit')).toEqual([]);
  expect([commands('lake'), commands('test'), commands('pausing lake')]).toEqual([[], [], []]);
  commands('test audit')[0]?.run();
  expect(done).toEqual(['test Audit lake']);
});
