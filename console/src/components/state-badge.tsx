import { Badge, edgeTone, type Look } from './badge.js';

/** Looks of the states of destinations and deliveries, as the API names them. */
const looks = {
  healthy: { tone: 'good', icon: 'healthy', word: 'Healthy' },
  retrying: { tone: 'warn', icon: 'retrying', word: 'Retrying' },
  misconfigured: { tone: 'bad', icon: 'misconfigured', word: 'Misconfigured' },
  paused: { tone: 'calm', icon: 'paused', word: 'Paused' },
  pending: { tone: 'plain', icon: 'pending', word: 'Pending' },
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
