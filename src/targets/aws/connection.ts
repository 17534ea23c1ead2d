import type { Connection } from '../target.js';
import { type BatchSender, sendBatch } from './batch-sender.js';
import type { EncodedRecord } from './packing.js';
import { Session } from './session.js';

/**
 * Returns a connection whose client is opened with the first batch.
 * @param createSender called for each batch, with the timestamp of the last record before it
 * @param timeoutMs timeout of an attempt, in milliseconds
 */
export function awsConnection<Client, Encoded extends EncodedRecord>(
  open: () => Promise<Client>,
  createSender: (session: Session<Client>, latestTimestampMs: number) => BatchSender<Encoded>,
  timeoutMs: number,
): Connection {
  const session = new Session(open);
  return {
    send: (events, signal, latestTimestampMs = 0) =>
      sendBatch(createSender(session, latestTimestampMs), events, signal, timeoutMs),
    close: async () => session.close(),
  };
}
