import { Kysely, PostgresDialect } from 'kysely';
import { expect } from 'vitest';
import type { Store } from '../../../src/database/store.js';
import type { Tables } from '../../../src/database/tables.js';

interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A node of a plan that was carried out. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Temp Written Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** Tables that no request may read whole. */
const large = /^(deliveries|finished_deliveries_.*|events|delivery_attempts|delivery_lanes)$/;

/** Remembers the statements that are run through its database, and explains them. */
export class ExplainedQueries {
  /** The database whose statements are remembered. */
  readonly db: Kysely<Tables>;
  private queries: Query[] = [];

  constructor(private readonly store: Store) {
    this.db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: store.pool }),
      log: ({ query: { sql, parameters } }) => {
        this.queries.push({ sql, parameters });
      },
    });
  }

  /**
   * The statements that `work` ran, each with the nodes of its plan when it is run again; what it changes is undone.
   */
  async plansOf(work: () => Promise<unknown>): Promise<readonly (readonly PlanNode[])[]> {
    this.queries = [];
    await work();
    const plans: (readonly PlanNode[])[] = [];
    for (const { sql, parameters } of this.queries) {
      if (!/^\s*(select|with|update|insert)/i.test(sql)) continue;
      const client = await this.store.pool.connect();
      try {
        await client.query('begin');
        const text = `explain (analyze, buffers, timing off, format json) ${sql}`;
        const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(text, [...parameters]);
        plans.push(nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan));
      } finally {
        await client.query('rollback');
        client.release();
      }
    }
    if (plans.length === 0) throw new Error('No statement was run.');
    return plans;
  }
}

/** Expects that no large table is scanned, and that no node reads more rows than `most`. Returns the indexes used. */
export async function expectFlatPlans(
  explained: ExplainedQueries,
  work: () => Promise<unknown>,
  most: number,
): Promise<readonly string[]> {
  const nodes = (await explained.plansOf(work)).flat();
  const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && large.test(node['Relation Name'] ?? ''));
  expect(whole).toEqual([]);
  expect(Math.max(...nodes.map(rowsRead))).toBeLessThanOrEqual(most);
  return nodes.flatMap((node) => node['Index Name']?.replace(/^finished_deliveries_\d{8}_/, 'day_') ?? []);
}

function nodesOf(node: PlanNode | undefined): readonly PlanNode[] {
  return node ? [node, ...(node.Plans ?? []).flatMap(nodesOf)] : [];
}

/** Returns the blocks that statements read, given the nodes of their plans. */
export function blocksRead(plans: readonly (readonly PlanNode[])[]): number {
  // The first node contains the others.
  return plans.reduce((sum, [root]) => sum + (root ? root['Shared Hit Blocks'] + root['Shared Read Blocks'] : 0), 0);
}

/** Returns the rows that a node read, with those that its filter removed. */
export function rowsRead(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}
