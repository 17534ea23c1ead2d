import { usePreferences } from '../preferences/preferences.js';
import { useNow, useShownNow } from '../time/clock.js';
import { absoluteText, durationText, relativeText } from '../time/format.js';
import styles from './time.module.css';

interface TimeProps {
  /** RFC 3339, as the API returns it. */
  readonly at: string;
  /**
   * What is shown: how long ago, the time in full, or both. Default: how long ago, with the full time as a tooltip. A
   * person who prefers exact times sees only the time in full.
   */
  readonly show?: 'relative' | 'absolute' | 'both';
  /** Whether milliseconds are shown in the full time. */
  readonly withMs?: boolean;
}

/** A time: how long ago it was, and the time in full in the zone that the person has chosen. */
export function Time({ at, show = 'relative', withMs = false }: TimeProps) {
  const { zone, times } = usePreferences();
  const ms = Date.parse(at);
  const full = absoluteText(ms, zone, withMs);
  const isFull = show === 'absolute' || times === 'exact';
  return (
    <time dateTime={at} title={isFull || show === 'both' ? undefined : full} className={styles.time}>
      {isFull ? (
        full
      ) : (
        <>
          <Ago at={ms} />
          {show === 'both' && <span className={styles.full}>{full}</span>}
        </>
      )}
    </time>
  );
}

function Ago({ at }: { readonly at: number }) {
  const now = useNow(Math.abs(Date.now() - at) < 120_000);
  return <span>{relativeText(at, now)}</span>;
}

/**
 * How long ago a time is, as a length: `2 min 5 s`. Runs on every second while the page is live. The time in full is
 * added where the person prefers exact times.
 */
export function Since({ at }: { readonly at: string }) {
  const { zone, times } = usePreferences();
  const ms = Date.parse(at);
  const now = useShownNow();
  const full = absoluteText(ms, zone);
  return (
    <time dateTime={at} title={times === 'exact' ? undefined : full} className={styles.time}>
      <span>{durationText(now - ms)}</span>
      {times === 'exact' && <span className={styles.full}>since {full}</span>}
    </time>
  );
}

/** The time until a moment, which counts down every second while the page is live. `now` after it. */
export function Countdown({ to }: { readonly to: string }) {
  const { zone } = usePreferences();
  const ms = Date.parse(to);
  const now = useShownNow();
  return (
    <time dateTime={to} title={absoluteText(ms, zone)} className={styles.time}>
      {now >= ms ? 'now' : `in ${durationText(ms - now)}`}
    </time>
  );
}
