import { usePreferences } from '../preferences/preferences.js';
import { useNow } from '../time/clock.js';
import { absoluteText, durationText, relativeText } from '../time/format.js';
import styles from './time.module.css';

/** Properties of `Time`. */
export interface TimeProps {
  /** RFC 3339, as the API returns it. */
  readonly at: string;
  /** What is shown: how long ago, the time in full, or both. Default: how long ago, with the full time as a tooltip. */
  readonly show?: 'relative' | 'absolute' | 'both';
  /** Whether milliseconds are shown in the full time. */
  readonly withMs?: boolean;
}

/** A time: how long ago it was, and the time in full in the zone that the person has chosen. */
export function Time({ at, show = 'relative', withMs = false }: TimeProps) {
  const { zone } = usePreferences();
  const ms = Date.parse(at);
  const full = absoluteText(ms, zone, withMs);
  return (
    <time dateTime={at} title={show === 'relative' ? full : undefined} className={styles.time}>
      {show !== 'absolute' && <Ago at={ms} />}
      {show === 'both' && <span className={styles.full}>{full}</span>}
      {show === 'absolute' && full}
    </time>
  );
}

function Ago({ at }: { readonly at: number }) {
  const now = useNow(Math.abs(Date.now() - at) < 120_000);
  return <span>{relativeText(at, now)}</span>;
}

/** How long ago a time is, as a length: `2 min 5 s`. Runs on every second. */
export function Since({ at }: { readonly at: string }) {
  const { zone } = usePreferences();
  const ms = Date.parse(at);
  const now = useNow(true);
  return (
    <time dateTime={at} title={absoluteText(ms, zone)} className={styles.time}>
      {durationText(now - ms)}
    </time>
  );
}

/** The time until a moment, which counts down every second. `now` after it. */
export function Countdown({ to }: { readonly to: string }) {
  const { zone } = usePreferences();
  const ms = Date.parse(to);
  const now = useNow(true);
  return (
    <time dateTime={to} title={absoluteText(ms, zone)} className={styles.time}>
      {now >= ms ? 'now' : `in ${durationText(ms - now)}`}
    </time>
  );
}
