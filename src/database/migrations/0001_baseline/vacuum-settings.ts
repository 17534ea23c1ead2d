import { sql } from 'kysely';

/**
 * Vacuum thresholds of tables that grow without bound, in rows: the cost of a scan grows with the dead rows, not with
 * their share of the table (docs/delivery.md#the-floor).
 */
export const vacuumOfLargeTables = sql.raw(`
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000`);
