import { readFile } from 'node:fs/promises';
import { rejectedEvents, type RejectedEvent } from '../relay/rejected-store.js';
import { SettingError } from './environment.js';
import { FAILED } from './exit-codes.js';
import { print, runOnDatabase } from './run-command.js';

/** Lists the rejected events, oldest first. */
export function listRejected({ limit, json }: { readonly limit: number; readonly json?: boolean }): Promise<void> {
  return runOnDatabase(async (pool) => {
    const events = await rejectedEvents(pool).list(limit);
    if (json) print(JSON.stringify(events));
    else print(events.length === 0 ? 'No event is rejected.' : events.map(paragraph).join('\n\n'));
  });
}

function paragraph(event: RejectedEvent): string {
  const waits = event.holds ? '; later events of the resource wait' : '';
  return [
    `${event.eventId}  ${event.type}  ${JSON.stringify(event.resourceId)}`,
    `  ${event.reason}`,
    `  rejected at ${event.rejectedAt.toISOString()} with ${event.status ?? '-'} ${event.errorCode ?? '-'}${waits}`,
  ].join('\n');
}

/** Returns one rejected event, or all of them, to the outbox. */
export function retryRejected(eventId: string | undefined, { all }: { readonly all?: boolean }): Promise<void> {
  return runOnDatabase(async (pool) => {
    if ((eventId === undefined) !== (all === true)) throw new SettingError('Name one event, or use --all.');
    const retried = await rejectedEvents(pool).retry(eventId === undefined ? null : [checkedId(eventId)]);
    report(retried, `${retried} returned to the outbox.`, eventId);
  });
}

/** Prints the content of a rejected event. */
export function showRejected(eventId: string): Promise<void> {
  return runOnDatabase(async (pool) => {
    const event = await rejectedEvents(pool).event(checkedId(eventId));
    report(event === null ? 0 : 1, event ?? '', eventId);
  });
}

/** Options of `rejected repair`. */
export interface RepairCommandOptions {
  readonly file: string;
  readonly by: string;
  readonly reason: string;
}

/** Replaces a rejected event by the one in a file. */
export function repairRejected(eventId: string, { file, by, reason }: RepairCommandOptions): Promise<void> {
  return runOnDatabase(async (pool) => {
    const repaired = await rejectedEvents(pool).repair(checkedId(eventId), await readEvent(file), { by, reason });
    report(repaired ? 1 : 0, '1 repaired and returned to the outbox. The table repairs has the original.', eventId);
  });
}

async function readEvent(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  try {
    JSON.parse(text);
  } catch {
    throw new SettingError(`${file} is not JSON.`);
  }
  return text;
}

/** Deletes a rejected event. */
export function discardRejected(eventId: string): Promise<void> {
  return runOnDatabase(async (pool) => {
    const discarded = await rejectedEvents(pool).discard([checkedId(eventId)]);
    report(discarded, `${discarded} deleted. It is never published.`, eventId);
  });
}

function report(count: number, text: string, eventId: string | undefined): void {
  if (count > 0 || eventId === undefined) return print(text);
  process.stderr.write(`error: No rejected event has the id ${eventId}.\n`);
  process.exitCode = FAILED;
}

function checkedId(eventId: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(eventId)) return eventId;
  throw new SettingError(`${JSON.stringify(eventId)} is not the id of an event: "rejected" lists them.`);
}
