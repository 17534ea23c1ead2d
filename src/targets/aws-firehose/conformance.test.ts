import { testConformance } from '../../../test/targets/conformance/conformance.js';
import type { Subject } from '../../../test/targets/conformance/subject.js';
import type { DeliveryStreamConfig } from './config.js';
import { deliveryStream } from './target.js';

const oneEvent: Subject<DeliveryStreamConfig> = {
  target: deliveryStream,
  config: {
    auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/waybill-events' }, creds: null },
    delivery_stream_arn: 'arn:aws:firehose:eu-central-1:123456789012:deliverystream/conformance',
    records: 'one_event',
  },
  secrets: [],
  address: () => 'conformance',
  tokenService: 'sts',
  responds: 'per record',
  retryAfter: false,
  faults: {
    throttle: { outcome: 'retry', code: 'ServiceUnavailableException' },
    partial: { outcome: 'retry', code: /^(ServiceUnavailableException|InternalFailure)$/ },
    timeout: { outcome: 'retry', code: 'timeout' },
    reset: { outcome: 'retry', code: 'ECONNRESET' },
    deny: { outcome: 'misconfigured', code: 'AccessDeniedException' },
    not_found: { outcome: 'misconfigured', code: 'ResourceNotFoundException' },
    unavailable: { outcome: 'retry', code: 'http_503' },
    // Firehose uses the same name for a stream that refuses direct writes. The other records of the attempt decide
    // (docs/decisions/outcomes.md).
    too_large: { outcome: 'rejected', code: 'InvalidArgumentException' },
    expired: { outcome: 'retry', code: 'ExpiredTokenException' },
    malformed: { outcome: 'rejected', code: 'ValidationException' },
    redirect: { outcome: 'misconfigured', code: 'http_307' },
    slow: { outcome: 'retry', code: 'timeout' },
  },
};

testConformance(oneEvent);
testConformance({ ...oneEvent, config: { ...oneEvent.config, records: 'packed' }, packing: 'by_line' });
