import type { ExportState } from '../api/exports.js';
import { Badge, type Look } from './badge.js';

const looks: Readonly<Record<ExportState, Look>> = {
  pending: { tone: 'plain', icon: 'pending', word: 'Pending' },
  running: { tone: 'calm', icon: 'exports', word: 'Running' },
  completed: { tone: 'good', icon: 'healthy', word: 'Completed' },
  failed: { tone: 'bad', icon: 'misconfigured', word: 'Failed' },
  cancelled: { tone: 'plain', icon: 'stopped', word: 'Cancelled' },
  expired: { tone: 'plain', icon: 'pending', word: 'Expired' },
};

/** The state of an export. */
export function ExportStateBadge({ state }: { readonly state: ExportState }) {
  return <Badge look={looks[state]} />;
}
