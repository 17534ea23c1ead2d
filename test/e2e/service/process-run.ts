import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@waybill/embedded-postgres';
import { inject } from 'vitest';

/** A process of the project, and all that it says. */
export interface Run {
  readonly child: ChildProcess;
  /** What it has written to standard output so far. */
  readonly written: () => string;
  /** What it wrote to standard output and to standard error, once it has ended. */
  readonly said: Promise<readonly [out: string, error: string]>;
  /** Its exit code; null where a signal ended it. */
  readonly ended: Promise<unknown>;
}

/** Starts programs of the compiled project. */
export class Programs {
  private readonly started: ChildProcess[] = [];

  /** Starts a program of the project with Node, on a free port of 127.0.0.1. */
  start(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Run {
    return this.spawn(process.execPath, args, settings);
  }

  /**
   * Starts a program of the project in a terminal, which script(1) of util-linux makes. What is written to its standard
   * input are keys.
   */
  startInTerminal(program: string, settings: Readonly<Record<string, string>> = {}): Run {
    return this.spawn('script', ['-qec', `exec ${process.execPath} ${program}`, '/dev/null'], settings);
  }

  /** Ends every program. */
  close(): void {
    for (const child of this.started) child.kill('SIGKILL');
  }

  private spawn(program: string, args: readonly string[], settings: Readonly<Record<string, string>>): Run {
    const { PATH } = process.env;
    const child = spawn(program, args, {
      cwd: inject('compiledProject'),
      env: { PATH, HOST: '127.0.0.1', PORT: '0', TERM: 'xterm-256color', ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.started.push(child);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    const error = text(child.stderr);
    return {
      child,
      written: () => out,
      said: once(child.stdout, 'end').then(async () => [out, await error] as const),
      ended: once(child, 'exit').then(([code]: unknown[]) => code),
    };
  }
}

/**
 * Resolves with all that the process has written, when that holds each of `words`.
 * @throws Error when the process ends before that
 */
export async function says({ written, said }: Run, ...words: readonly string[]): Promise<string> {
  let hasEnded = false;
  void said.then(() => (hasEnded = true));
  for (;;) {
    if (words.every((part) => written().includes(part))) return written();
    if (hasEnded) throw new Error(`The process ended without ${words.join(', ')}: ${(await said).join('')}`);
    await sleep(10);
  }
}

/** A server of a test. */
export interface TestListener {
  readonly server: Server;
  readonly port: number;
}

/** Accepts connections and never says anything. */
export async function silentServer(): Promise<TestListener> {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port };
}

/** Returns a Postgres ErrorResponse: https://www.postgresql.org/docs/current/protocol-message-formats.html */
export function postgresError(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
