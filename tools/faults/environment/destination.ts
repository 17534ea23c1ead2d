import type { TargetKind } from '../../../src/targets/target.js';
import { demoTargets } from '../../demo/destinations.js';

/** A destination of a scenario, and where the sandbox sees what is sent to it. */
export interface FaultDestination {
  readonly id: string;
  readonly kind: TargetKind;
  /** What the sandbox calls it: the address of a fault. For `log_group` only its beginning: a stream of Waybill's choice follows. */
  readonly address: string;
}

/** The target of a destination as a client would configure it, at an address that no other number has. */
export function targetAt(
  kind: TargetKind,
  number: number,
): { readonly address: string; readonly target: Readonly<Record<string, unknown>> } {
  const base = demoTargets[kind];
  const place = 'eu-central-1:123456789012';
  switch (kind) {
    case 'delivery_stream': {
      const name = `faults-${number}`;
      return {
        address: name,
        target: { ...base, delivery_stream_arn: `arn:aws:firehose:${place}:deliverystream/${name}` },
      };
    }
    case 'data_stream': {
      const address = `arn:aws:kinesis:${place}:stream/faults-${number}`;
      return { address, target: { ...base, stream_arn: address } };
    }
    case 'log_group': {
      const group = `/faults/${number}`;
      return {
        address: `${group}/`,
        target: { ...base, log_group_arn: `arn:aws:logs:${place}:log-group:${group}` },
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

/** Whether something that the sandbox received was sent to this destination. */
export function isFor(
  { kind, address }: FaultDestination,
  received: { readonly target: TargetKind; readonly address: string },
): boolean {
  return (
    received.target === kind &&
    (kind === 'log_group' ? received.address.startsWith(address) : received.address === address)
  );
}
