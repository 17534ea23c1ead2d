import { z } from 'zod';
import { type ArnKind, arnSchema, parseArnOf } from '../aws/arn.js';
import { authMismatch, authSchema } from '../aws/auth.js';

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
      'ARN of the delivery stream. Its source must be direct put, without decompression of the source.',
    ),
  })
  .superRefine(({ auth, delivery_stream_arn: arn }, context) => {
    const address = deliveryStreamAddress(arn);
    const mismatch = address && authMismatch(auth, address, { addressedByName: true });
    if (mismatch) context.addIssue({ code: 'custom', path: ['auth', 'role', 'role_arn'], message: mismatch });
  })
  .describe('Amazon Data Firehose: each event is one record, a line of JSON.');

export type DeliveryStreamConfig = z.output<typeof deliveryStreamConfig>;
