import { testConformance } from '../../../test/targets/conformance/conformance.js';
import { monitoring } from './target.js';

const API_KEY = 'conformance0000000000000000api00';

testConformance({
  target: monitoring,
  config: { api_key: API_KEY, tags: 'env:test,team:network', service: 'conformance', site: 'datadoghq.eu' },
  secrets: [API_KEY],
  address: () => 'conformance',
  responds: 'per call',
  retryAfter: true,
  faults: {
    throttle: { outcome: 'retry', code: 'http_429' },
    partial: { outcome: 'retry', code: /^http_(429|5\d\d)$/ },
    timeout: { outcome: 'retry', code: 'timeout' },
    reset: { outcome: 'retry', code: /^(ECONNRESET|UND_ERR_SOCKET)$/ },
    deny: { outcome: 'misconfigured', code: 'http_403' },
    not_found: { outcome: 'misconfigured', code: 'http_404' },
    unavailable: { outcome: 'retry', code: 'http_503' },
    too_large: { outcome: 'rejected', code: 'http_413' },
    malformed: { outcome: 'rejected', code: 'http_400' },
    redirect: { outcome: 'misconfigured', code: 'http_307' },
    slow: { outcome: 'retry', code: 'timeout' },
  },
});
