import type { LiveState } from '../api/live-connection.js';
import { useFrozenAt, useNow } from '../time/clock.js';
import { durationText } from '../time/format.js';
import { Button } from './button.js';
import { Icon, type IconName } from './icon.js';
import { Time } from './time.js';
import ui from './ui.module.css';

interface LiveIndicatorProps {
  readonly state: LiveState;
  readonly onPause: () => void;
  /** Ends a pause, or connects at once. */
  readonly onResume: () => void;
}

/** Looks of the states: a word, a picture and a colour. */
const looks = {
  live: { word: 'Live', icon: 'live', tone: 'good' },
  connecting: { word: 'Connecting', icon: 'retrying', tone: 'plain' },
  paused: { word: 'Not updated', icon: 'paused', tone: 'calm' },
  waiting: { word: 'Not live', icon: 'misconfigured', tone: 'warn' },
} as const satisfies Record<LiveState['kind'], { word: string; icon: IconName; tone: string }>;

/** Says whether the page changes by itself, and lets a person stop and resume that. */
export function LiveIndicator({ state, onPause, onResume }: LiveIndicatorProps) {
  const { word, icon, tone } = looks[state.kind];
  return (
    <div className={ui.line}>
      <span className={`${ui.line} ${ui.strong} ${ui.toned}`} data-tone={tone} role="status">
        <Icon name={icon} />
        {word}
      </span>
      <AsOf />
      {state.kind === 'waiting' && <Wait until={state.retryAt} />}
      {state.kind === 'live' || state.kind === 'connecting' ? (
        <Button look="quiet" icon="paused" onPress={onPause}>
          Stop updating
        </Button>
      ) : (
        <Button look="quiet" icon="play" onPress={onResume}>
          {state.kind === 'paused' ? 'Resume updating' : 'Reconnect'}
        </Button>
      )}
    </div>
  );
}

/** When what the page shows was last known, while it is not live. */
function AsOf() {
  const at = useFrozenAt();
  if (at === null) return null;
  return (
    <span className={`${ui.soft} ${ui.number}`}>
      as of <Time at={new Date(at).toISOString()} show="absolute" />
    </span>
  );
}

function Wait({ until }: { readonly until: number }) {
  const now = useNow(true);
  return (
    <span className={`${ui.soft} ${ui.number}`}>
      Next attempt {until <= now ? 'now' : `in ${durationText(until - now)}`}
    </span>
  );
}
