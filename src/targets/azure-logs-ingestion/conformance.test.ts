import { testConformance } from '../../../test/targets/conformance/conformance.js';
import { logIngestion } from './target.js';

const CLIENT_SECRET = 'conformance~client~secret';
const RULE = 'dcr-0123456789abcdef0123456789abcdef';
const STREAM = 'Custom-Conformance_CL';

testConformance({
  target: logIngestion,
  config: {
    tenant_id: '11111111-2222-4333-8444-555555555555',
    client_id: 'aaaaaaaa-2222-4333-8444-555555555555',
    client_secret: CLIENT_SECRET,
    logs_ingestion_uri: 'https://conformance-a1b2.westeurope-1.ingest.monitor.azure.com',
    data_collection_rule_id: RULE,
    data_collection_stream_name: STREAM,
  },
  secrets: [CLIENT_SECRET],
  address: () => `${RULE}/${STREAM}`,
  addedMembers: ['TimeGenerated'],
  tokenService: 'entra',
  responds: 'per call',
  retryAfter: true,
  faults: {
    throttle: { outcome: 'retry', code: 'TooManyRequests' },
    partial: { outcome: 'retry', code: /^(TooManyRequests|InternalServerError|http_5\d\d)$/ },
    timeout: { outcome: 'retry', code: 'timeout' },
    reset: { outcome: 'retry', code: 'ECONNRESET' },
    deny: { outcome: 'misconfigured', code: 'OperationFailed' },
    not_found: { outcome: 'misconfigured', code: 'NotFound' },
    unavailable: { outcome: 'retry', code: 'http_503' },
    too_large: { outcome: 'rejected', code: 'ContentLengthLimitExceeded' },
    expired: { outcome: 'misconfigured', code: 'TokenExpired' },
    malformed: { outcome: 'rejected', code: 'InvalidPayload' },
    redirect: { outcome: 'misconfigured', code: 'http_307' },
    slow: { outcome: 'retry', code: 'timeout' },
  },
});
