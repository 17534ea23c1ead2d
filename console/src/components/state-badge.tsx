import type { DeliveryAttempt, EventDestinationMute } from '@waybill/client';
import type { ExportState } from '../api/exports.js';
import { Badge, edgeTone, type Look } from './badge.js';
import { Time } from './time.js';
import ui from './ui.module.css';

/** Looks of the states of destinations and deliveries, as the API names them. */
const looks = {
  healthy: { tone: 'good', icon: 'healthy', word: 'Healthy' },
  retrying: { tone: 'warn', icon: 'retrying', word: 'Retrying' },
  misconfigured: { tone: 'bad', icon: 'misconfigured', word: 'Misconfigured' },
  paused: { tone: 'calm', icon: 'paused', word: 'Paused' },
  pending: { tone: 'plain', icon: 'pending', word: 'Waiting' },
  in_flight: { tone: 'calm', icon: 'destinations', word: 'In flight' },
  delivered: { tone: 'good', icon: 'healthy', word: 'Delivered' },
  rejected: { tone: 'bad', icon: 'stopped', word: 'Rejected' },
  expired: { tone: 'bad', icon: 'pending', word: 'Expired' },
  cancelled: { tone: 'plain', icon: 'stopped', word: 'Cancelled' },
} as const satisfies Record<string, Look>;

/** A state that has a look. */
export type KnownState = keyof typeof looks;

/** Returns the word for a state: `Misconfigured`. */
export function stateWord(state: KnownState): string {
  return looks[state].word;
}

/** Returns the tone that marks the row or the card of a state; undefined for none. */
export function stateTone(state: KnownState): ReturnType<typeof edgeTone> {
  return edgeTone(looks[state]);
}

/** The state of a destination or of a delivery. */
export function StateBadge({ state }: { readonly state: KnownState }) {
  return <Badge look={looks[state]} />;
}

/** Who muted a destination, until when and why. */
export function MuteNote({ mute: { reason, until, principal } }: { readonly mute: EventDestinationMute }) {
  return (
    <div className={ui.note}>
      <Badge look={{ tone: 'calm', icon: 'muted', word: 'Muted' }} /> by {principal.subject} until{' '}
      <Time at={until} show="absolute" />: {reason}
    </div>
  );
}

/** Looks of the outcomes of attempts. */
export const outcomeLooks: Readonly<Record<DeliveryAttempt['outcome'], Look>> = {
  delivered: { tone: 'good', icon: 'healthy', word: 'Delivered' },
  retry: { tone: 'warn', icon: 'retrying', word: 'Failed, to be retried' },
  misconfigured: { tone: 'bad', icon: 'misconfigured', word: 'Refused: misconfigured' },
  rejected: { tone: 'bad', icon: 'stopped', word: 'Rejected' },
};

/** The outcome of an attempt. */
export function OutcomeBadge({ outcome }: { readonly outcome: DeliveryAttempt['outcome'] }) {
  return <Badge look={outcomeLooks[outcome]} />;
}

const exportLooks: Readonly<Record<ExportState, Look>> = {
  pending: { tone: 'plain', icon: 'pending', word: 'Pending' },
  running: { tone: 'calm', icon: 'exports', word: 'Running' },
  completed: { tone: 'good', icon: 'healthy', word: 'Completed' },
  failed: { tone: 'bad', icon: 'misconfigured', word: 'Failed' },
  cancelled: { tone: 'plain', icon: 'stopped', word: 'Cancelled' },
  expired: { tone: 'plain', icon: 'pending', word: 'Expired' },
};

/** The state of an export. */
export function ExportStateBadge({ state }: { readonly state: ExportState }) {
  return <Badge look={exportLooks[state]} />;
}
