import { testConformance } from '../../../test/targets/conformance/conformance.js';
import type { Subject } from '../../../test/targets/conformance/subject.js';
import type { DataStreamConfig } from './config.js';
import { dataStream } from './target.js';

const STREAM_ARN = 'arn:aws:kinesis:eu-central-1:123456789012:stream/conformance';

const oneEvent: Subject<DataStreamConfig> = {
  target: dataStream,
  config: {
    auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/waybill-events' }, creds: null },
    stream_arn: STREAM_ARN,
    records: 'one_event',
  },
  secrets: [],
  address: () => STREAM_ARN,
  tokenService: 'sts',
  responds: 'per record',
  retryAfter: false,
  faults: {
    throttle: { outcome: 'retry', code: 'ProvisionedThroughputExceededException' },
    partial: { outcome: 'retry', code: /^(ProvisionedThroughputExceededException|InternalFailure)$/ },
    timeout: { outcome: 'retry', code: 'timeout' },
    reset: { outcome: 'retry', code: 'ECONNRESET' },
    deny: { outcome: 'misconfigured', code: 'AccessDeniedException' },
    not_found: { outcome: 'misconfigured', code: 'ResourceNotFoundException' },
    unavailable: { outcome: 'retry', code: 'http_503' },
    too_large: { outcome: 'rejected', code: 'InvalidArgumentException' },
    expired: { outcome: 'retry', code: 'ExpiredTokenException' },
    malformed: { outcome: 'rejected', code: 'ValidationException' },
    redirect: { outcome: 'misconfigured', code: 'http_307' },
    slow: { outcome: 'retry', code: 'timeout' },
  },
};

testConformance(oneEvent);
testConformance({ ...oneEvent, config: { ...oneEvent.config, records: 'packed' }, packing: 'by_resource' });
