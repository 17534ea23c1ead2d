import { testConformance } from '../../../test/targets/conformance/conformance.js';
import { logGroup } from './target.js';

testConformance({
  target: logGroup,
  config: {
    auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/waybill-events' }, creds: null },
    log_group_arn: 'arn:aws:logs:eu-central-1:123456789012:log-group:/waybill/conformance:*',
  },
  secrets: [],
  address: (destinationId) => `/waybill/conformance/waybill/${destinationId}`,
  tokenService: 'sts',
  responds: 'per call',
  retryAfter: false,
  faults: {
    throttle: { outcome: 'retry', code: 'ThrottlingException' },
    partial: { outcome: 'retry', code: 'ServiceUnavailableException' },
    timeout: { outcome: 'retry', code: 'timeout' },
    reset: { outcome: 'retry', code: 'ECONNRESET' },
    deny: { outcome: 'misconfigured', code: 'AccessDeniedException' },
    not_found: { outcome: 'misconfigured', code: 'ResourceNotFoundException' },
    unavailable: { outcome: 'retry', code: 'http_503' },
    too_large: { outcome: 'rejected', code: 'InvalidParameterException' },
    expired: { outcome: 'retry', code: 'ExpiredTokenException' },
    malformed: { outcome: 'rejected', code: 'InvalidParameterException' },
    redirect: { outcome: 'misconfigured', code: 'http_307' },
    slow: { outcome: 'retry', code: 'timeout' },
  },
});
