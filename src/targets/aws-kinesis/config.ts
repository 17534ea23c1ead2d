import { z } from 'zod';
import { type ArnKind, arnSchema, parseArnOf } from '../aws/arn.js';
import { authMismatch, authSchema } from '../aws/auth.js';
import { recordsOption } from '../aws/records-option.js';

/** https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html (StreamARN) */
const streamArn: ArnKind = {
  service: 'kinesis',
  regional: true,
  resource: /^stream\/[a-zA-Z0-9_.-]{1,128}$/,
  example: 'arn:aws:kinesis:us-east-1:123456789012:stream/audit-events',
};

/** Parses the ARN of a data stream; returns null for another text. */
export function dataStreamAddress(arn: string): { partition: string; region: string; account: string } | null {
  return parseArnOf(streamArn, arn);
}

/** The member `data_stream` of a destination's target. */
export const dataStreamConfig = z
  .strictObject({
    auth: authSchema,
    stream_arn: arnSchema(streamArn, 'ARN of the data stream', 'ARN of the data stream, which must exist.'),
    records: recordsOption(
      'What a record of the stream holds. `one_event`: the JSON of one event. `packed`: events of one resource in the aggregation format of the Kinesis Producer Library (KPL), where several are sent together. Consumers have to deaggregate packed records; the Kinesis Client Library (KCL) does it by itself.',
    ),
  })
  .superRefine(({ auth, stream_arn: arn }, context) => {
    const address = dataStreamAddress(arn);
    const mismatch = address && authMismatch(auth, address, { addressedByName: false });
    if (mismatch) context.addIssue({ code: 'custom', path: ['auth', 'role', 'role_arn'], message: mismatch });
  })
  .describe(
    'Amazon Kinesis Data Streams: events as JSON. The partition key of a record is the id of the resource that changed.',
  );

export type DataStreamConfig = z.output<typeof dataStreamConfig>;
