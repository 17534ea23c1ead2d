import type { ConnectionContext, Target } from '../target.js';
import { AUTH_SECRET_FIELD } from './auth.js';
import { type BatchSender, sendBatch } from './batch-sender.js';
import type { EncodedRecord } from './packing.js';
import { Session } from './session.js';

/** What the targets of AWS differ in. */
interface AwsTarget<Config, Client, Encoded extends EncodedRecord> extends Omit<
  Target<Config>,
  'secretFields' | 'credentials' | 'loadClient' | 'connect'
> {
  /** Loads the file with the vendor's client, which takes time. */
  readonly load: () => Promise<{ openClient(config: Config, context: ConnectionContext): Client }>;
  /** Called for each batch, with the timestamp of the last record before it. */
  readonly sender: (session: Session<Client>, config: Config, latestTimestampMs: number) => BatchSender<Encoded>;
}

/** Returns a target of AWS. The client of a connection is opened with the first batch. */
export function awsTarget<Config, Client, Encoded extends EncodedRecord>({
  load,
  sender,
  ...target
}: AwsTarget<Config, Client, Encoded>): Target<Config> {
  return {
    ...target,
    secretFields: [AUTH_SECRET_FIELD],
    credentials: ['auth'],
    loadClient: async () => {
      await load();
    },
    connect: (config, context) => {
      const session = new Session(async () => (await load()).openClient(config, context));
      const { sendTimeoutMs } = context.settings;
      return {
        send: (events, signal, latestTimestampMs = 0) =>
          sendBatch(sender(session, config, latestTimestampMs), events, signal, sendTimeoutMs),
        close: async () => session.close(),
      };
    },
  };
}
