export { deaggregate } from './aws/aggregated-record.js';
export { OPERATOR_ACCESS_KEY_ID, SANDBOX_SECRET_ACCESS_KEY } from './aws/credentials.js';
export type {
  CallCount,
  EarlyCalls,
  Fault,
  ReceivedCount,
  ReceivedEvent,
  Sandbox,
  TargetKind,
} from './sandbox-contract.js';
export { startSandbox } from './start-sandbox.js';
export { vendorExport } from './vendor-export.js';
export { openAuthority, type SandboxAuthority } from './tls/authority.js';
