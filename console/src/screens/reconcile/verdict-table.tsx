import { Link } from '@tanstack/react-router';
import { differenceText } from '@waybill/reconcile';
import { useMemo, useState } from 'react';
import { Badge, edgeTone, type Look } from '../../components/badge.js';
import { DataTable, type DataColumn } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { TextField } from '../../components/form-field.js';
import type { IconName } from '../../components/icon.js';
import { Time } from '../../components/time.js';
import { Toggle, ToggleGroup } from '../../components/toggle.js';
import { toggled } from '../../components/toggled.js';
import {
  countVerdicts,
  matchingRows,
  verdictLooks,
  verdicts,
  type DifferingLine,
  type Verdict,
  type VerdictRow,
} from './verdicts.js';
import ui from '../../components/ui.module.css';

/** Most differing members of a line that are shown. */
const MOST_SHOWN = 10;

const columns: readonly DataColumn<VerdictRow>[] = [
  {
    id: 'sequence',
    header: 'Sequence',
    width: 'minmax(9rem, 1fr)',
    cell: ({ first, last, epoch }) => (
      <span className={ui.number}>
        {first.toLocaleString('en')}
        {last > first && ` to ${last.toLocaleString('en')}`}
        {epoch !== null && epoch > 1 && <div className={ui.note}>epoch {epoch}</div>}
      </span>
    ),
  },
  {
    id: 'verdict',
    header: 'Verdict',
    width: 'minmax(9rem, 1fr)',
    cell: ({ verdict }) => <VerdictBadge verdict={verdict} />,
  },
  {
    id: 'event',
    header: 'Event',
    width: 'minmax(12rem, 2fr)',
    wide: true,
    cell: ({ eventId }) =>
      eventId === null ? (
        <span className={ui.note}>—</span>
      ) : (
        <Link to="/events/$id" params={{ id: eventId }}>
          <code>{eventId}</code>
        </Link>
      ),
  },
  {
    id: 'why',
    header: 'Why',
    width: 'minmax(14rem, 3fr)',
    wide: true,
    cell: ({ verdict, detail, lines }) => (
      <>
        {verdictLooks[verdict].meaning}
        {lines.map((line) => (
          <Differences key={line.place} line={line} />
        ))}
        {detail !== null && (
          <div className={ui.note}>
            {isTime(verdict) ? (
              <>
                taken <Time at={detail} show="absolute" withMs />
              </>
            ) : (
              detail
            )}
          </div>
        )}
      </>
    ),
  },
];

/** The verdict of every number, with a filter for verdicts and for one number. */
export function VerdictTable({ rows }: { readonly rows: readonly VerdictRow[] }) {
  const [wanted, setWanted] = useState<readonly Verdict[]>([]);
  const [text, setText] = useState('');
  const counts = useMemo(() => countVerdicts(rows), [rows]);
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  const shown = useMemo(() => {
    const matching = matchingRows(rows, wanted.length === 0 ? null : wanted, number);
    return matching.map((row) => ({ ...row, id: String(row.first) }));
  }, [rows, wanted, number]);
  return (
    <>
      <search className={`${ui.line} ${ui.fields}`} aria-label="Sequences">
        <ToggleGroup label="Verdicts">
          {verdicts
            .filter((verdict) => counts.has(verdict))
            .map((verdict) => (
              <Toggle
                key={verdict}
                count={counts.get(verdict) ?? 0}
                isOn={wanted.includes(verdict)}
                onPress={() => setWanted(toggled(wanted, verdict))}
              >
                {verdictLooks[verdict].word}
              </Toggle>
            ))}
        </ToggleGroup>
        <TextField
          label="Look up a sequence"
          attributes={{ inputMode: 'numeric' }}
          value={text}
          onChange={(next) => setText(next.trim())}
        />
      </search>
      {shown.length > 0 ? (
        <DataTable label="Sequences" rows={shown} columns={columns} rowTone={toneOf} />
      ) : (
        <EmptyState title="No sequence matches">
          {rows.length === 0
            ? 'The destination has given out no sequence in this range yet.'
            : 'No compared sequence has this verdict and this value.'}
        </EmptyState>
      )}
    </>
  );
}

/** Where the content of an event differs, and the members that do, with both values. */
function Differences({ line: { place, differences } }: { readonly line: DifferingLine }) {
  const shown = differences?.slice(0, MOST_SHOWN) ?? [];
  const rest = (differences?.length ?? 0) - shown.length;
  return (
    <div className={ui.note}>
      {place}
      <ul>
        {shown.map((one) => (
          <li key={one.member}>
            <code>{differenceText(one)}</code>
          </li>
        ))}
        {rest > 0 && <li>and {rest} more members, all of them in the report</li>}
      </ul>
    </div>
  );
}

/** Whether the detail of a verdict is the time at which the target took the event. */
function isTime(verdict: Verdict): boolean {
  return verdict === 'acknowledged' || verdict === 'after_export';
}

function toneOf({ verdict }: VerdictRow) {
  return edgeTone(verdictLooks[verdict]);
}

const icons: Readonly<Record<Exclude<Look['tone'], 'plain'>, IconName>> = {
  good: 'healthy',
  calm: 'pending',
  warn: 'stopped',
  bad: 'misconfigured',
};

/** A verdict as colour, picture and word. */
function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  const { word, tone } = verdictLooks[verdict];
  return <Badge look={{ tone, word, icon: icons[tone] }} />;
}
