import type { DeliveryAttempt } from '@waybill/client';
import { Badge, type Look } from './badge.js';

const looks: Readonly<Record<DeliveryAttempt['outcome'], Look>> = {
  delivered: { tone: 'good', icon: 'healthy', word: 'Delivered' },
  retry: { tone: 'warn', icon: 'retrying', word: 'Failed, is tried again' },
  misconfigured: { tone: 'bad', icon: 'misconfigured', word: 'Refused: misconfigured' },
  rejected: { tone: 'bad', icon: 'stopped', word: 'Rejected' },
};

/** The outcome of an attempt. */
export function OutcomeBadge({ outcome }: { readonly outcome: DeliveryAttempt['outcome'] }) {
  return <Badge look={looks[outcome]} />;
}
