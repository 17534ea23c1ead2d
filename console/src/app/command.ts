import type { IconName } from '../components/icon.js';

/** A line of the palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Other words that find it. */
  readonly words?: string;
  readonly icon: IconName;
  /** Says what kind of command it is. */
  readonly hint?: string;
  readonly run: () => void;
}
