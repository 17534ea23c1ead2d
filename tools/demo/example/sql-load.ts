import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Payments of one transaction. */
const BATCH = 5;
/** Time for which every fourth transaction stays open, so that later ones commit before it. */
const HOLD_MS = 400;
const PAUSE_MS = 100;

/** Changes payments by plain SQL, as an operator or a nightly job would: only the trigger sees these changes. */
export class SqlLoad {
  private stopping = false;
  private workers: Promise<void>[] = [];

  constructor(private readonly databaseUrl: string) {}

  /** @param workers transactions side by side */
  start(workers: number): void {
    this.workers = Array.from({ length: workers }, () => this.work());
  }

  /** Ends after the transactions in progress. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.workers);
  }

  private async work(): Promise<void> {
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      for (let turn = 0; !this.stopping; turn += 1) {
        await change(client, turn);
        await sleep(PAUSE_MS);
      }
    } finally {
      await client.end();
    }
  }
}

/** Every third transaction is rolled back. */
async function change(client: Client, turn: number): Promise<void> {
  await client.query('begin');
  await client.query(`select set_config('waybill.principal', '{"id": "job-1", "subject": "nightly job"}', true)`);
  const { rows } = await client.query<{ id: string }>(
    `select id from payments where status <> 'failed' order by random() limit ${BATCH} for update skip locked`,
  );
  const ids = rows.map(({ id }) => id);
  await client.query(
    `update payments set status = case status when 'pending' then 'settled' else 'failed' end, revision = revision + 1
     where id = any($1::uuid[])`,
    [ids],
  );
  await client.query('delete from payments where id = $1', [ids[0]]);
  if (turn % 4 === 0) await sleep(HOLD_MS);
  await client.query(turn % 3 === 0 ? 'rollback' : 'commit');
}
