import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { Icon } from './icon.js';
import { movedBy } from './key-moves.js';
import styles from './data-table.module.css';

/** A column of a `DataTable`. */
export interface DataColumn<Row> {
  readonly id: string;
  /** Heading, and the label of the cell on narrow screens. */
  readonly header: string;
  /** Track of CSS grid: `8rem`, `minmax(12rem, 2fr)`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  /** Value by which rows are sorted; undefined values are last. Without it, the column cannot be sorted. */
  readonly sortBy?: (row: Row) => string | number | undefined;
  /** `end` for numbers. */
  readonly align?: 'end';
  /** Takes a whole line on narrow screens, as the first column does. */
  readonly wide?: boolean;
}

/** Column and direction by which the rows of a table are sorted. */
export interface Sort {
  readonly id: string;
  readonly desc: boolean;
}

/** Rows of a table that are chosen for an action. */
interface Selection<Row> {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  /** Name of a row for screen readers. */
  readonly nameOf: (row: Row) => string;
}

/** The row whose details are shown beside a table. The focus and a click choose it; only Enter and a link open it. */
interface ChosenRow<Row> {
  readonly id: string;
  readonly onChange: (row: Row) => void;
}

/** What has an id of its own, as each row of a table. */
interface Identified {
  readonly id: string;
}

interface DataTableProps<Row extends Identified> {
  /** Name of the table for screen readers. */
  readonly label: string;
  /** Keep the array and the columns stable: memoize them. */
  readonly rows: readonly Row[];
  readonly columns: readonly DataColumn<Row>[];
  /** Null: the rows stay in the given order. */
  readonly sort?: Sort | null;
  readonly onSort?: (sort: Sort | null) => void;
  /** Opens a row: a click beside its links and buttons, or Enter. */
  readonly onOpen?: (row: Row) => void;
  /** Marks a row with a colour at its edge; a cell must say the same in words. */
  readonly rowTone?: (row: Row) => 'bad' | 'warn' | 'calm' | undefined;
  /** Height of a row before it is measured, in pixels. */
  readonly estimatedHeight?: number;
  /** Called when the last rows are near: load the next page. */
  readonly onEndReached?: () => void;
  /** Absent: rows cannot be chosen. The space bar chooses the row that has the focus. */
  readonly selection?: Selection<Row> | undefined;
  readonly chosen?: ChosenRow<Row> | undefined;
  /** Whether a row has one line. */
  readonly isCompact?: boolean;
  /** Whether the rows are of an earlier question while the asked ones are read: they are dimmed. */
  readonly isStale?: boolean;
}

/** Height of what covers the top of the page, in pixels: the bar and the headings of the table. */
const COVERED = 112;

/** Rows that are kept above and below the visible ones. */
const OVERSCAN = 8;

/** What can have the focus in a row. */
const STOPS = 'a, button, input, summary';

/** Arrows between rows. */
const ARROWS = { previous: ['ArrowUp'], next: ['ArrowDown'] };

/**
 * A table of any length: only the rows near the visible ones exist in the page. Arrows up and down, Home, End, PageUp
 * and PageDown move between rows, arrows left and right within one, Enter opens it. On narrow screens a row is a card.
 */
export function DataTable<Row extends Identified>({
  label,
  rows,
  columns,
  sort = null,
  onSort,
  onOpen,
  rowTone,
  estimatedHeight = 56,
  onEndReached,
  selection,
  chosen,
  isCompact = false,
  isStale = false,
}: DataTableProps<Row>) {
  const sorted = useMemo(() => sortedBy(rows, columns, sort), [rows, columns, sort]);

  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // The row that had the focus last. Its index is where it was then: rows above it may come and go.
  const [active, setActive] = useState<{ readonly id: string | null; readonly index: number }>({ id: null, index: 0 });
  const focusWanted = useRef(false);
  const current = useMemo(() => {
    const index = sorted.findIndex(({ id }) => id === active.id);
    return index === -1 ? Math.min(active.index, Math.max(0, sorted.length - 1)) : index;
  }, [sorted, active]);

  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: sorted.length,
    estimateSize: () => estimatedHeight,
    getItemKey: useCallback((index: number) => sorted[index]?.id ?? index, [sorted]),
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: COVERED,
    directDomUpdates: true,
    // The focused row stays, also where it is scrolled out of sight: the focus would be lost with it.
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), current])].toSorted((a, b) => a - b),
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;

  // What is above the table may change its height.
  useLayoutEffect(() => {
    const place = (): void => {
      if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  // A row is one stop of Tab. The arrows lead to its links and buttons.
  useLayoutEffect(() => {
    const { current: rowGroup } = body;
    if (rowGroup === null) return undefined;
    const take = (): void => {
      for (const stop of rowGroup.querySelectorAll<HTMLElement>(STOPS)) stop.tabIndex = -1;
    };
    take();
    const observer = new MutationObserver(take);
    observer.observe(rowGroup, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);

  /** Moves the focus to a row, if it exists in the page. */
  function focusRow(index: number): boolean {
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    row?.focus({ preventScroll: true });
    return row != null;
  }

  useEffect(() => {
    if (focusWanted.current && focusRow(current)) focusWanted.current = false;
  });

  useEffect(() => {
    if (last >= sorted.length - OVERSCAN) onEndReached?.();
  }, [last, sorted.length, onEndReached]);

  function moveTo(index: number): void {
    const next = Math.max(0, Math.min(index, sorted.length - 1));
    const row = sorted[next];
    setActive({ id: row?.id ?? null, index: next });
    virtualizer.scrollToIndex(next, { align: 'auto' });
    // A row that is far away exists after the next rendering.
    focusWanted.current = !focusRow(next);
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    // With these, a key is the browser's.
    if (!(event.target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isRow = event.target.dataset.index !== undefined;
    const next = movedBy(event.key, current, sorted.length, ARROWS);
    if (next !== null) moveTo(next);
    else if (event.key === 'ArrowRight') moveWithin(event.target, 1);
    else if (event.key === 'ArrowLeft') moveWithin(event.target, -1);
    else if (event.key === 'Enter' && isRow && sorted[current] !== undefined) onOpen?.(sorted[current]);
    else if (event.key === ' ' && isRow && selection && sorted[current] !== undefined) choose(sorted[current]);
    // Other keys in a link or a button of the row are theirs.
    else return;
    event.preventDefault();
  }

  function choose(row: Row): void {
    const ids = new Set(selection?.ids);
    if (!ids.delete(row.id)) ids.add(row.id);
    selection?.onChange(ids);
  }

  function onRowClick(event: MouseEvent, row: Row): void {
    if (!(event.target instanceof Element) || event.target.closest(STOPS)) return;
    if (chosen === undefined && window.getSelection()?.toString() === '') onOpen?.(row);
  }

  return (
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={sorted.length + 1}
      aria-busy={isStale}
      data-compact={isCompact}
      aria-multiselectable={selection ? true : undefined}
      className={styles.table}
      style={
        { '--columns': [...(selection ? ['1.25rem'] : []), ...columns.map(({ width }) => width)].join(' ') } as object
      }
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" aria-rowindex={1} className={styles.headings}>
          {selection && (
            <div role="columnheader" className={styles.heading}>
              <label className={styles.all}>
                <input
                  type="checkbox"
                  aria-label="Select all that are shown"
                  checked={sorted.length > 0 && sorted.every(({ id }) => selection.ids.has(id))}
                  onChange={({ target }) =>
                    selection.onChange(new Set(target.checked ? sorted.map(({ id }) => id) : []))
                  }
                />
              </label>
            </div>
          )}
          {columns.map((column) => (
            <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        ref={(node) => {
          body.current = node;
          virtualizer.containerRef(node);
        }}
        className={styles.body}
        onKeyDown={onKeyDown}
      >
        {items.map(({ index, key }) => {
          const row = sorted[index];
          if (row === undefined) return null;
          return (
            <div
              key={key}
              role="row"
              ref={virtualizer.measureElement}
              data-index={index}
              data-tone={rowTone?.(row)}
              data-opens={onOpen ? '' : undefined}
              aria-rowindex={index + 2}
              aria-selected={selection?.ids.has(row.id) ?? (chosen && chosen.id === row.id)}
              tabIndex={index === current ? 0 : -1}
              className={styles.row}
              onFocus={() => {
                setActive({ id: row.id, index });
                chosen?.onChange(row);
              }}
              onClick={(event) => onRowClick(event, row)}
            >
              {selection && (
                <div role="gridcell" className={`${styles.cell} ${styles.choice}`}>
                  <input
                    type="checkbox"
                    aria-label={`Select ${selection.nameOf(row)}`}
                    checked={selection.ids.has(row.id)}
                    onChange={() => choose(row)}
                  />
                </div>
              )}
              {columns.map(({ id, header, align, wide, cell }) => (
                <div
                  key={id}
                  role="gridcell"
                  className={styles.cell}
                  data-align={align}
                  data-wide={wide}
                  data-label={header}
                >
                  {cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Returns rows in the order of a column; rows without a value there are last. */
function sortedBy<Row>(rows: readonly Row[], columns: readonly DataColumn<Row>[], sort: Sort | null): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === sort?.id)?.sortBy;
  if (sort === null || sortBy === undefined) return rows;
  return rows.toSorted((one, other) => {
    const [a, b] = [sortBy(one), sortBy(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sort.desc ? compare(b, a) : compare(a, b);
  });
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

/** Moves the focus into the table of the page: to the row that had it last, or to the first one. */
export function focusTable(): void {
  document.querySelector<HTMLElement>('[role="grid"] [data-index][tabindex="0"]')?.focus();
}

/** Moves the focus to the next or the previous stop of a row: the row itself, then its links and buttons. */
function moveWithin(from: HTMLElement, step: 1 | -1): void {
  const row = from.closest<HTMLElement>('[data-index]');
  const stops = row ? [row, ...row.querySelectorAll<HTMLElement>(STOPS)] : [];
  stops[stops.indexOf(from) + step]?.focus();
}

interface HeadingProps {
  readonly column: Pick<DataColumn<never>, 'id' | 'header' | 'align'> & { readonly sortBy?: unknown };
  readonly sort: Sort | null;
  readonly onSort: ((sort: Sort | null) => void) | undefined;
}

function Heading({ column: { id, header, align, sortBy }, sort, onSort }: HeadingProps) {
  const direction = sort?.id !== id ? 'none' : sort.desc ? 'descending' : 'ascending';
  const next = { none: { id, desc: false }, ascending: { id, desc: true }, descending: null }[direction];
  const isSorting = sortBy !== undefined && onSort !== undefined;
  return (
    <div
      role="columnheader"
      aria-sort={isSorting ? direction : undefined}
      className={styles.heading}
      data-align={align}
    >
      {isSorting ? (
        <button type="button" className={styles.sort} onClick={() => onSort(next)}>
          {header}
          <Icon name={direction === 'none' ? 'sortNone' : direction === 'ascending' ? 'sortUp' : 'sortDown'} />
        </button>
      ) : (
        header
      )}
    </div>
  );
}
