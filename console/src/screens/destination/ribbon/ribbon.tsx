import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EventDestinationStatus } from '@waybill/client';
import { useMemo, useState } from 'react';
import { Button } from '../../../components/button.js';
import { boundedText } from '../../../components/count.js';
import { TextField } from '../../../components/form-field.js';
import { ProblemPanel } from '../../../components/problem-panel.js';
import { Progress } from '../../../components/progress.js';
import type { TabProps } from '../search.js';
import { NumberFacts } from './number-facts.js';
import {
  isExact,
  middleOf,
  moved,
  newestOf,
  sizeOf,
  windowOf,
  windowText,
  zoomedIn,
  zoomedOut,
  type NumberWindow,
} from './number-window.js';
import {
  missingRanges,
  numberStates,
  numberTones,
  numberWord,
  ribbonOf,
  totalsOf,
  type RibbonCell,
} from './ribbon-cells.js';
import { ribbonQuery } from './ribbon-query.js';
import { RibbonStrip } from './ribbon-strip.js';
import { useSlow } from './use-slow.js';
import ui from '../../../components/ui.module.css';
import styles from './ribbon.module.css';

/** Numbers that are few enough to follow them closely. */
const FEW = 200;

/** Most ranges of missing numbers that are named. */
const MOST_RANGES = 10;

interface RibbonProps extends TabProps {
  readonly status: EventDestinationStatus;
}

/** The sequence ribbon: the outcome of every number, from all of them down to one. */
export function Ribbon({ id, status, search, onChange }: RibbonProps) {
  const { last_sequence: last } = status;
  return (
    <section className={ui.stack} aria-labelledby="ribbon">
      <h2 id="ribbon">Sequence</h2>
      {last === 0 ? (
        <p className={ui.note}>
          No event has a sequence yet. An event gets it when it is taken into a batch, from 1 on and without a gap.
        </p>
      ) : (
        <Numbers id={id} status={status} search={search} onChange={onChange} />
      )}
    </section>
  );
}

function Numbers({ id, status, search, onChange }: RibbonProps) {
  const { last_sequence: newest } = status;
  // The last numbers may be given back.
  const last = Math.min(useSlow(newest, newest <= FEW ? 2_000 : 15_000), newest);
  const { from, to } = windowOf(search.numbers, last);
  const window = useMemo(() => ({ from, to }), [from, to]);
  const exact = isExact(window);
  const { data, error, refetch } = useQuery(ribbonQuery(id, window));
  const isRead = data?.window.from === from && data.window.to === to;
  const cells = useMemo(() => {
    if (data && isRead) return ribbonOf(window, data);
    // Until the window is read, it shows what is known of it.
    return ribbonOf(window, { deliveries: data?.deliveries ?? [], isComplete: false });
  }, [data, isRead, window]);
  const [marked, setMarked] = useState<number | null>(null);
  const number = search.number === undefined ? null : Number(search.number);
  const chosen = marked ?? number;
  const selected = chosen === null || chosen < from || chosen > to ? null : chosen;
  const focus = selected ?? middleOf(window);

  const show = (next: NumberWindow): void => onChange({ numbers: windowText(next) });
  const open = (cell: NumberWindow): void => {
    if (cell.from === cell.to) onChange({ number: String(cell.from), numbers: windowText(window) });
    else show(zoomedIn(window, middleOf(cell), last));
  };

  return (
    <>
      <div role="group" aria-label="Sequences shown" className={ui.line}>
        <Button icon="plus" isDisabled={sizeOf(window) === 1} onPress={() => show(zoomedIn(window, focus, last))}>
          Zoom in
        </Button>
        <Button icon="minus" isDisabled={sizeOf(window) === last} onPress={() => show(zoomedOut(window, focus, last))}>
          Zoom out
        </Button>
        <Button icon="previous" isDisabled={from === 1} onPress={() => show(moved(window, -1, last))}>
          Earlier
        </Button>
        <Button icon="next" isDisabled={to === last} onPress={() => show(moved(window, 1, last))}>
          Later
        </Button>
        <Button isDisabled={sizeOf(window) === last} onPress={() => show({ from: 1, to: last })}>
          All
        </Button>
        <Button isDisabled={search.numbers === undefined} onPress={() => onChange({ numbers: undefined })}>
          Newest
        </Button>
      </div>
      {error && <ProblemPanel error={error} title="The sequences could not be read" onRetry={() => void refetch()} />}
      <RibbonStrip
        cells={cells}
        window={window}
        marked={selected}
        onMark={setMarked}
        onOpen={open}
        onZoom={(direction) => show((direction > 0 ? zoomedIn : zoomedOut)(window, focus, last))}
      />
      {isRead && data ? (
        <Legend id={id} cells={cells} exact={exact} isCut={data.isCut} missing={missingRanges(window, data)} />
      ) : (
        !error && <Progress label="Reading the sequences" />
      )}
      <GoTo
        last={last}
        onGo={(wanted) => onChange({ number: String(wanted), numbers: windowText(around(window, wanted, last)) })}
      />
      <p className={ui.note}>
        {boundedText(status.pending, status.pending_is_lower_bound)} waiting. An event gets its sequence when it is
        taken into a batch: the next one gets {(newest + 1).toLocaleString('en')}.
      </p>
      {number !== null && number <= newest && (
        <NumberFacts id={id} number={number} status={status} onClose={() => onChange({ number: undefined })} />
      )}
    </>
  );
}

/** Returns ranges of numbers in words: `17, 20 to 22 and 3 more ranges`. */
function rangesText(ranges: readonly NumberWindow[]): string {
  const written = ranges.slice(0, MOST_RANGES).map(({ from, to }) => {
    const first = from.toLocaleString('en');
    return from === to ? first : `${first} to ${to.toLocaleString('en')}`;
  });
  const more = ranges.length - written.length;
  return more === 0 ? written.join(', ') : `${written.join(', ')} and ${more.toLocaleString('en')} more ranges`;
}

/** Returns a window that has the number: the same one if it does. */
function around(window: NumberWindow, number: number, last: number): NumberWindow {
  if (window.from <= number && number <= window.to) return window;
  const size = Math.min(sizeOf(window), sizeOf(newestOf(last)));
  const from = Math.max(1, Math.min(number - Math.floor(size / 2), last - size + 1));
  return { from, to: from + size - 1 };
}

function GoTo({ last, onGo }: { readonly last: number; readonly onGo: (number: number) => void }) {
  const [text, setText] = useState('');
  const number = Number(text);
  const isValid = /^\d{1,15}$/.test(text) && number >= 1 && number <= last;
  return (
    <form
      className={`${ui.line} ${ui.fields} ${styles.goTo}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) onGo(number);
      }}
    >
      <TextField
        label="Sequence"
        type="number"
        value={text}
        onChange={setText}
        fault={text === '' || isValid ? null : `Must be from 1 to ${last.toLocaleString('en')}.`}
      />
      <Button type="submit" isDisabled={!isValid}>
        Show the sequence
      </Button>
    </form>
  );
}

interface LegendProps {
  /** Id of the destination. */
  readonly id: string;
  readonly cells: readonly RibbonCell[];
  readonly exact: boolean;
  readonly isCut: boolean;
  /** Numbers without a delivery. */
  readonly missing: readonly NumberWindow[];
}

/** What the colours mean, and how many numbers have each. */
function Legend({ id, cells, exact, isCut, missing }: LegendProps) {
  const totals = totalsOf(cells);
  return (
    <>
      <ul className={`${ui.legend} ${styles.states}`} aria-label="States of the sequences">
        {numberStates.map((state) => {
          const count = totals[state];
          if (count === undefined) return null;
          return (
            <li key={state} data-state={state} data-tone={numberTones[state]}>
              {count.toLocaleString('en')} {numberWord(state)}
            </li>
          );
        })}
      </ul>
      {!exact && (
        <p className={ui.note}>
          Of more than 1,000 sequences, the ribbon shows only those that failed or are in flight
          {isCut && ', and only the newest of them'}. Zoom in to 1,000 sequences to see which are delivered and whether
          one is missing.
        </p>
      )}
      {exact && totals.missing !== undefined && (
        <p className={`${ui.bad} ${ui.strong}`} role="alert">
          {totals.missing.toLocaleString('en')} {totals.missing === 1 ? 'sequence has' : 'sequences have'} no delivery:{' '}
          {rangesText(missing)}. Compare what arrived with an export:{' '}
          <Link to="/reconcile" search={{ destination: id }}>
            Reconcile
          </Link>
          .
        </p>
      )}
    </>
  );
}
