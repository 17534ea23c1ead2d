import type { Connection } from '../target.js';
import { type BatchSender, type EncodedRecord, sendBatch } from './batch-sender.js';
import { Session } from './session.js';

/**
 * A connection over one client, opened with the first batch, and what sends a batch with it.
 * @param timeoutMs how long an attempt may take, in milliseconds
 */
export function awsConnection<Client, Encoded extends EncodedRecord>(
  open: () => Promise<Client>,
  senderOver: (session: Session<Client>) => BatchSender<Encoded>,
  timeoutMs: number,
): Connection {
  const session = new Session(open);
  const sender = senderOver(session);
  return {
    send: (events, signal) => sendBatch(sender, events, signal, timeoutMs),
    close: async () => session.close(),
  };
}
