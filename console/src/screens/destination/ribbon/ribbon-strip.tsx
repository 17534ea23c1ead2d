import type { KeyboardEvent, MouseEvent } from 'react';
import { movedBy } from '../../../components/key-moves.js';
import { sizeOf, type NumberWindow } from './number-window.js';
import { cellText, numberTones, type RibbonCell } from './ribbon-cells.js';
import ui from '../../../components/ui.module.css';
import styles from './ribbon.module.css';

/** Width and height of the picture; the page stretches it. */
const WIDTH = 1_000;
const HEIGHT = 48;

/** Arrows between cells. */
const ARROWS = { previous: ['ArrowLeft', 'ArrowDown'], next: ['ArrowRight', 'ArrowUp'] };

interface RibbonStripProps {
  readonly cells: readonly RibbonCell[];
  readonly window: NumberWindow;
  /** The number that is marked; null for none. */
  readonly marked: number | null;
  readonly onMark: (number: number) => void;
  /** Opens a cell: a number, or a smaller window. */
  readonly onOpen: (cell: NumberWindow) => void;
  /** 1: zoom in, -1: zoom out. */
  readonly onZoom: (direction: 1 | -1) => void;
}

/**
 * The numbers as a strip of cells. Arrows, PageUp, PageDown, Home and End mark a cell; Enter or a click opens it; plus
 * and minus change the zoom.
 */
export function RibbonStrip({ cells, window, marked, onMark, onOpen, onZoom }: RibbonStripProps) {
  const x = (number: number): number => ((number - window.from) / sizeOf(window)) * WIDTH;
  const index = marked === null ? -1 : cells.findIndex(({ from, to }) => from <= marked && marked <= to);
  const current = cells[index];
  // Cells that are only a few have a gap between them.
  const gap = cells.length <= 50 ? 2 : cells.length <= 100 ? 1 : 0;

  const cellAt = (event: MouseEvent<HTMLElement>): RibbonCell | undefined => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const number = window.from + Math.floor(((event.clientX - left) / width) * sizeOf(window));
    return cells.find(({ from, to }) => from <= number && number <= to);
  };

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Without a mark, the arrows begin at the newest cell.
    const next = movedBy(event.key, index < 0 ? cells.length : index, cells.length, ARROWS);
    const target = next === null ? undefined : cells[Math.max(0, Math.min(next, cells.length - 1))];
    if (target) onMark(target.from);
    else if (event.key === 'Enter' && current) onOpen(current);
    else if (event.key === '+' || event.key === '=') onZoom(1);
    else if (event.key === '-') onZoom(-1);
    else return;
    event.preventDefault();
  }

  return (
    <div className={ui.items}>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Sequence ribbon"
        aria-valuemin={window.from}
        aria-valuemax={window.to}
        aria-valuenow={current?.from ?? window.from}
        aria-valuetext={current ? cellText(current) : 'No sequence is selected'}
        aria-keyshortcuts="Enter Plus -"
        className={styles.slider}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => {
          const cell = cellAt(event);
          if (cell) onMark(cell.from);
        }}
        onClick={(event) => {
          const cell = cellAt(event);
          if (cell) onOpen(cell);
        }}
      >
        <svg className={styles.strip} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {cells.map((cell) => (
            <rect
              key={cell.from}
              className={styles.cell}
              data-state={cell.state ?? 'unknown'}
              data-tone={cell.state === null ? undefined : numberTones[cell.state]}
              x={x(cell.from)}
              width={Math.max(1, x(cell.to + 1) - x(cell.from) - gap)}
              y={0}
              height={HEIGHT}
            />
          ))}
          {current && (
            <rect
              className={styles.marked}
              x={x(current.from)}
              width={Math.max(1, x(current.to + 1) - x(current.from) - gap)}
              y={1}
              height={HEIGHT - 2}
            />
          )}
        </svg>
      </div>
      <p className={`${ui.note} ${ui.line} ${ui.between} ${styles.ends}`} aria-hidden="true">
        <span>{window.from.toLocaleString('en')}</span>
        <span>{window.to.toLocaleString('en')}</span>
      </p>
      {!current && (
        <p className={ui.note}>Point at a cell to read it and click to open it. By keyboard: the arrows, and Enter.</p>
      )}
      {current && (
        <p className={`${ui.line} ${ui.number}`}>
          <strong>{cellText(current)}</strong>
          <button type="button" className={ui.link} onClick={() => onOpen(current)}>
            {current.from === current.to ? 'Show the delivery' : 'Zoom in here'}
          </button>
        </p>
      )}
    </div>
  );
}
