import type { TargetKind } from '../../../src/targets/target.js';
import { demoTargets } from '../../harness/destinations.js';

/** A destination of a scenario, and its address at the sandbox. */
export interface FaultDestination {
  readonly id: string;
  readonly kind: TargetKind;
  /** Address in the sandbox's faults and counts. A prefix for `log_group`: Waybill appends the log stream. */
  readonly address: string;
}

/** Returns a target as a client would configure it. Each number has its own address. */
export function targetAt(
  kind: TargetKind,
  number: number,
): { readonly address: string; readonly target: Readonly<Record<string, unknown>> } {
  const base = demoTargets[kind];
  const regionAndAccount = 'eu-central-1:123456789012';
  switch (kind) {
    case 'delivery_stream': {
      const name = `faults-${number}`;
      return {
        address: name,
        target: {
          ...base,
          delivery_stream_arn: `arn:aws:firehose:${regionAndAccount}:deliverystream/${name}`,
        },
      };
    }
    case 'data_stream': {
      const address = `arn:aws:kinesis:${regionAndAccount}:stream/faults-${number}`;
      return { address, target: { ...base, stream_arn: address } };
    }
    case 'log_group': {
      const group = `/faults/${number}`;
      return {
        address: `${group}/`,
        target: { ...base, log_group_arn: `arn:aws:logs:${regionAndAccount}:log-group:${group}` },
      };
    }
    case 'monitoring': {
      const service = `faults-${number}`;
      return { address: service, target: { ...base, service } };
    }
    case 'log_ingestion': {
      const rule = `dcr-${String(number).padStart(32, '0')}`;
      return { address: `${rule}/Custom-Audit_CL`, target: { ...base, data_collection_rule_id: rule } };
    }
  }
}

/** Checks whether the sandbox received something for this destination. */
export function isFor(
  { kind, address }: FaultDestination,
  received: { readonly target: TargetKind; readonly address: string },
): boolean {
  return (
    received.target === kind &&
    (kind === 'log_group' ? received.address.startsWith(address) : received.address === address)
  );
}
