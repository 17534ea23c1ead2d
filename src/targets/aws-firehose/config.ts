import { z } from 'zod';
import { type ArnKind, arnSchema, parseArnOf } from '../aws/arn.js';
import { authMismatch, authSchema } from '../aws/auth.js';
import { recordsOption } from '../aws/records-option.js';

/** https://docs.aws.amazon.com/firehose/latest/APIReference/API_CreateDeliveryStream.html (DeliveryStreamName) */
const deliveryStreamArn: ArnKind = {
  service: 'firehose',
  regional: true,
  resource: /^deliverystream\/[a-zA-Z0-9_.-]{1,64}$/,
  example: 'arn:aws:firehose:us-east-1:123456789012:deliverystream/audit-events',
};

/** The parts of a delivery stream's ARN: the vendor's call has only the name. */
export interface DeliveryStreamAddress {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  readonly name: string;
}

/** Parses the ARN of a delivery stream; returns null for another text. */
export function deliveryStreamAddress(arn: string): DeliveryStreamAddress | null {
  const parsed = parseArnOf(deliveryStreamArn, arn);
  if (!parsed) return null;
  const { partition, region, account, resource } = parsed;
  return { partition, region, account, name: resource.slice('deliverystream/'.length) };
}

/** The member `delivery_stream` of a destination's target. */
export const deliveryStreamConfig = z
  .strictObject({
    auth: authSchema,
    delivery_stream_arn: arnSchema(
      deliveryStreamArn,
      'ARN of the delivery stream',
      'ARN of the delivery stream. Its source must be direct put, without decompression of the source.',
    ),
    records: recordsOption(
      'What a record of the stream holds. `one_event`: one line of JSON. `packed`: up to 500 lines, 512,000 bytes. Firehose bills each record rounded up to 5 KB, so packed records cost less, and a burst of changes takes fewer calls. Streams to Amazon S3 or Redshift take packed records; most others need one event in each.',
    ),
  })
  .superRefine(({ auth, delivery_stream_arn: arn }, context) => {
    const address = deliveryStreamAddress(arn);
    const mismatch = address && authMismatch(auth, address, { addressedByName: true });
    if (mismatch) context.addIssue({ code: 'custom', path: ['auth', 'role', 'role_arn'], message: mismatch });
  })
  .describe('Amazon Data Firehose: each event is a line of JSON.');

export type DeliveryStreamConfig = z.output<typeof deliveryStreamConfig>;
