import { useMemo, useState } from 'react';
import { differenceOf } from '../../components/value-changes.js';
import { foldUnchanged, type DiffRow, type Line } from './line-diff.js';
import ui from '../../components/ui.module.css';
import styles from './diff-view.module.css';

/**
 * Two texts side by side. Unchanged lines far from a change are folded. On narrow screens, one side is above the other.
 */
export function DiffView({ rows }: { readonly rows: readonly DiffRow[] }) {
  const parts = useMemo(() => foldUnchanged(rows), [rows]);
  const [opened, setOpened] = useState<readonly number[]>([]);
  return (
    <div className={styles.frame}>
      <table className={styles.diff} aria-label="Before and after">
        <thead>
          <tr>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        {parts.map(({ rows: some, isFolded }, part) => (
          // The parts have no other identity than their position.
          // oxlint-disable-next-line react/no-array-index-key
          <tbody key={part}>
            {isFolded && !opened.includes(part) ? (
              <tr className={styles.fold}>
                <td colSpan={2}>
                  <button type="button" className={styles.unfold} onClick={() => setOpened([...opened, part])}>
                    Show {some.length.toLocaleString('en')} unchanged lines
                  </button>
                </td>
              </tr>
            ) : (
              some.map(({ left, right, isChanged }) => (
                <tr key={`${left?.number} ${right?.number}`} data-changed={isChanged ? '' : undefined}>
                  <Side line={left} other={right} change={isChanged ? 'removed' : null} />
                  <Side line={right} other={left} change={isChanged ? 'added' : null} />
                </tr>
              ))
            )}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface SideProps {
  readonly line: Line | null;
  /** The line beside it. */
  readonly other: Line | null;
  readonly change: 'removed' | 'added' | null;
}

function Side({ line, other, change }: SideProps) {
  if (line === null) return <td className={styles.side} data-change="none" />;
  return (
    <td className={styles.side} data-change={change ?? undefined}>
      <span className={styles.number} aria-hidden="true">
        {line.number}
      </span>
      <span className={styles.sign} aria-hidden="true">
        {change === 'removed' ? '−' : change === 'added' ? '+' : ''}
      </span>
      {change !== null && <span className={ui.hidden}>{change}: </span>}
      <code className={styles.text}>{change !== null && other ? marked(line.text, other.text) : line.text}</code>
    </td>
  );
}

/** Marks the part of a line in which it differs from the one beside it. */
function marked(text: string, other: string) {
  const { start, end } = differenceOf(text, other);
  const to = text.length - end;
  return (
    <>
      {text.slice(0, start)}
      {start < to && <mark className={styles.part}>{text.slice(start, to)}</mark>}
      {text.slice(to)}
    </>
  );
}
