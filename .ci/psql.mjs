// Stands in for psql where it is missing: runs the SQL of `-c`, of `-f`, or of standard input, and prints nothing.
import { readFileSync } from 'node:fs';
import pg from 'pg';

const [connectionString, option, value] = process.argv.slice(2);
const client = new pg.Client({ connectionString });
await client.connect();
await client.query(option === '-c' ? value : readFileSync(option === '-f' ? value : 0, 'utf8'));
await client.end();
