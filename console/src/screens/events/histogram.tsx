import type { EventCounts } from '@waybill/client';
import { useState, type PointerEvent } from 'react';
import type { EventSearch } from '../../app/event-search.js';
import { Button } from '../../components/button.js';
import { Progress } from '../../components/progress.js';
import { Time } from '../../components/time.js';
import { usePreferences } from '../../preferences/preferences.js';
import { absoluteText } from '../../time/format.js';
import ui from '../../components/ui.module.css';
import styles from './events.module.css';

const HEIGHT = 40;

/** Steps that are chosen: `from` is the first, `to` the one behind the last. */
interface Part {
  readonly from: number;
  readonly to: number;
}

interface HistogramProps {
  readonly counts: EventCounts;
  /** Whether the counts are those of the search before, while those of this one are read. */
  readonly isStale: boolean;
  readonly search: EventSearch;
  readonly onChange: (change: Partial<EventSearch>) => void;
}

/** The events of a search over time. Dragging over it, or the two sliders, choose a part of the time. */
export function Histogram({ counts, isStale, search, onChange }: HistogramProps) {
  const { zone } = usePreferences();
  const { steps, events, reached } = counts;
  const whole: Part = { from: 0, to: steps.length };
  const [choice, setChoice] = useState<{ readonly of: EventCounts; readonly part: Part } | null>(null);
  const [dragFrom, setDragFrom] = useState<number | null>(null);
  const part = choice?.of === counts ? choice.part : whole;
  const isWhole = part.from === 0 && part.to === steps.length;
  const most = Math.max(1, ...steps);
  const [begin, end] = [Date.parse(counts.from), Date.parse(counts.to)];
  const timeOf = (step: number): string => new Date(begin + ((end - begin) * step) / steps.length).toISOString();
  const textOf = (step: number): string => absoluteText(Date.parse(timeOf(step)), zone);

  const choose = (next: Part): void => setChoice({ of: counts, part: next });
  const apply = (): void => {
    // The last step ends now: a list without an end shows new events.
    const to = part.to === steps.length && search.to === undefined ? undefined : timeOf(part.to);
    onChange({ last: undefined, from: timeOf(part.from), to });
  };
  const stepAt = (event: PointerEvent<SVGSVGElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const step = Math.floor(((event.clientX - left) / width) * steps.length);
    return Math.max(0, Math.min(step, steps.length - 1));
  };
  const drag = (event: PointerEvent<SVGSVGElement>, from: number): void => {
    const at = stepAt(event);
    choose({ from: Math.min(from, at), to: Math.max(from, at) + 1 });
  };

  return (
    <section aria-label="Events over time" aria-busy={isStale} className={`${ui.items} ${styles.histogram}`}>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${steps.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragFrom(stepAt(event));
          drag(event, stepAt(event));
        }}
        onPointerMove={(event) => {
          if (dragFrom !== null) drag(event, dragFrom);
        }}
        onPointerUp={() => {
          if (dragFrom !== null) apply();
          setDragFrom(null);
        }}
        onPointerCancel={() => {
          setDragFrom(null);
          setChoice(null);
        }}
      >
        {!isWhole && <rect className={styles.part} x={part.from} width={part.to - part.from} y={0} height={HEIGHT} />}
        {steps.map((count, step) => {
          const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);
          return <rect key={timeOf(step)} x={step + 0.1} width={0.8} y={HEIGHT - height} height={height} />;
        })}
      </svg>
      <div className={`${ui.line} ${ui.between} ${ui.note}`}>
        <label className={styles.range}>
          From
          <input
            type="range"
            max={steps.length - 1}
            value={part.from}
            aria-valuetext={textOf(part.from)}
            onChange={({ target }) => choose({ ...part, from: Math.min(Number(target.value), part.to - 1) })}
          />
          {textOf(part.from)}
        </label>
        <Button isDisabled={isWhole} onPress={apply}>
          Show only this time
        </Button>
        <label className={styles.range}>
          To
          <input
            type="range"
            min={1}
            max={steps.length}
            value={part.to}
            aria-valuetext={textOf(part.to)}
            onChange={({ target }) => choose({ ...part, to: Math.max(Number(target.value), part.from + 1) })}
          />
          {textOf(part.to)}
        </label>
      </div>
      {isStale ? (
        <Progress label="Counting the events" />
      ) : (
        <p className={ui.note}>
          {events.toLocaleString('en')} {events === 1 ? 'event' : 'events'} in these bars
          {reached !== null && (
            <>
              , since <Time at={reached} show="absolute" />: earlier ones are too many to count
            </>
          )}
          . Drag over them to show only a part.
        </p>
      )}
    </section>
  );
}
