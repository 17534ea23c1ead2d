/**
 * Adds the columns that the lanes and batches of this release read, and that an older schema does not have. The
 * migrations that add them accept that they exist.
 */
export const LATER_COLUMNS = `
  alter table deliveries add column backfill_id text collate "C";
  alter table delivery_lanes add column projected boolean not null default false,
    add column paused_at timestamptz, add column pauses tstzmultirange`;
