import styles from './icon.module.css';

/** Paths of the pictures, in a square of 16. They are drawn as lines in the colour of the text. */
const paths = {
  healthy: 'M3 8.5l3.2 3.2L13 4.8',
  retrying: 'M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3',
  misconfigured: 'M8 2L1.5 13.5h13zM8 6.5v3.2M8 11.7v.1',
  paused: 'M5.5 3.5v9M10.5 3.5v9',
  muted: 'M4 11h8l-1-2V6.5a3 3 0 0 0-6 0V9zM7 13.2h2M2.5 2.5l11 11',
  stopped: 'M4 4l8 8M12 4l-8 8',
  pending: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.8V8l2.2 1.6',
  live: 'M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM4.5 4.5a5 5 0 0 0 0 7M11.5 4.5a5 5 0 0 1 0 7',
  play: 'M5 3.2v9.6L12.5 8z',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3L14 14',
  copy: 'M5.5 5.5V3a1 1 0 0 1 1-1H13a1 1 0 0 1 1 1v6.5a1 1 0 0 1-1 1h-2.5M3 5.5h6.5a1 1 0 0 1 1 1V13a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V6.5a1 1 0 0 1 1-1z',
  paste:
    'M5.5 3H4a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V4a1 1 0 0 0-1-1h-1.5M5.5 2h5v2.5h-5zM8 7v4.5M6 9.6L8 11.6l2-2',
  sortUp: 'M8 12.5v-9M4.5 7L8 3.5 11.5 7',
  sortDown: 'M8 3.5v9M4.5 9L8 12.5 11.5 9',
  sortNone: 'M5 6.5L8 3.5l3 3M5 9.5l3 3 3-3',
  overview: 'M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5v-6M13.5 13.5v-11',
  destinations: 'M2 8h8M7 4.5L10.5 8 7 11.5M13.5 2.5v11',
  events: 'M3 3.5h10M3 8h10M3 12.5h6',
  notDelivered: 'M2 8h6M5.5 5l3 3-3 3M10.5 6l4 4M14.5 6l-4 4',
  reconcile: 'M2.5 5h7M2.5 11h4M8.5 10.5l2 2 3.5-4',
  resources: 'M2.5 2.5h4.5V7H2.5zM9 2.5h4.5V7H9zM2.5 9H7v4.5H2.5zM9 9h4.5v4.5H9z',
  exports: 'M8 2v7.5M4.8 6.6L8 9.8l3.2-3.2M2.5 13.5h11',
  person: 'M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM2.8 13.8a5.3 5.3 0 0 1 10.4 0',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  previous: 'M10 3L5 8l5 5',
  next: 'M6 3l5 5-5 5',
} as const;

/** Name of a picture. */
export type IconName = keyof typeof paths;

/** A small picture beside a text that says the same. Screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
