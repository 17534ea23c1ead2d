import { addDays, startOfDay } from '../../database/partitions/day-partitions.js';
import { idBound } from '../../ids/id-time.js';

/**
 * More than the time in an event's id differs from its `created_at`, in milliseconds. Both are read one after the
 * other, from one clock. When the clock is set back, ids keep their last time until they are 10,000 ms ahead of it
 * (https://github.com/uuidjs/uuid/blob/v10.0.0/src/v7.js).
 */
const MARGIN_MS = 15_000;

/** Returns a bound that the ids of all events recorded at or after a time are above. */
export function idsFrom(time: Date): string {
  return idBound('evt', shifted(time, -MARGIN_MS));
}

/** Returns a bound that the ids of all events recorded before a time are below. */
export function idsBefore(time: Date): string {
  return idBound('evt', shifted(time, MARGIN_MS));
}

/** As `idsFrom`, at the beginning of a day in UTC. */
export function daysOfIdsFrom(time: Date): string {
  return idBound('evt', startOfDay(shifted(time, -MARGIN_MS)));
}

/** As `idsBefore`, at the end of a day in UTC. */
export function daysOfIdsBefore(time: Date): string {
  return idBound('evt', addDays(startOfDay(shifted(time, MARGIN_MS)), 1));
}

function shifted(time: Date, ms: number): Date {
  return new Date(Math.max(0, time.getTime() + ms));
}
