import type { Connection } from '../target.js';
import { type BatchSender, type EncodedRecord, sendBatch } from './batch-sender.js';
import { Session } from './session.js';

/**
 * Returns a connection whose client is opened with the first batch.
 * @param timeoutMs timeout of an attempt, in milliseconds
 */
export function awsConnection<Client, Encoded extends EncodedRecord>(
  open: () => Promise<Client>,
  createSender: (session: Session<Client>) => BatchSender<Encoded>,
  timeoutMs: number,
): Connection {
  const session = new Session(open);
  const sender = createSender(session);
  return {
    send: (events, signal) => sendBatch(sender, events, signal, timeoutMs),
    close: async () => session.close(),
  };
}
