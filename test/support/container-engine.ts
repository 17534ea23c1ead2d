import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import type { StartedTestContainer } from 'testcontainers';
import { withTimeout } from '../../src/timing/with-timeout.js';

/** Longest that a container may take to start, in milliseconds, the download of its image included. */
const START_TIMEOUT_MS = 180_000;

/** A store in a container. */
export interface ContainerSpec {
  readonly image: string;
  /** Replaces the image's command. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The port that the store listens on in the container. */
  readonly port: number;
  /** The log line that shows that the store accepts connections, and how many of them to wait for. */
  readonly ready: { readonly line: RegExp; readonly times: number };
}

/** A running container. */
export interface Container {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Returns whether a container engine accepts connections at DOCKER_HOST (default: /var/run/docker.sock). */
export async function hasContainerEngine(): Promise<boolean> {
  const url = new URL(process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock');
  const address =
    url.protocol === 'unix:' ? { path: url.pathname } : { host: url.hostname, port: Number(url.port || 2375) };
  if (address.path !== undefined && !existsSync(address.path)) return false;
  const socket = createConnection(address);
  try {
    return (await withTimeout(once(socket, 'connect'), 1_000)) !== undefined;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Starts a container. Returns null without a container engine. Prints the reason and returns null when the container
 * cannot be started. The caller then starts a local program.
 */
export async function startContainer(spec: ContainerSpec): Promise<Container | null> {
  if (!(await hasContainerEngine())) return null;
  try {
    const starting = start(spec);
    const container = await withTimeout(starting, START_TIMEOUT_MS);
    if (!container) {
      void starting.then((late) => late.stop()).catch(() => undefined);
      throw new Error(`not started within ${START_TIMEOUT_MS / 1_000} s`);
    }
    return {
      host: container.getHost(),
      port: container.getMappedPort(spec.port),
      stop: async () => {
        await container.stop();
      },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.warn(`The container ${spec.image} could not be started (${reason}). A local program is used instead.`);
    return null;
  }
}

async function start({ image, command, environment, port, ready }: ContainerSpec): Promise<StartedTestContainer> {
  // testcontainers takes about a second to load. A machine without a container engine does not load it.
  const { GenericContainer, Wait } = await import('testcontainers');
  return new GenericContainer(image)
    .withCommand([...command])
    .withEnvironment({ ...environment })
    .withExposedPorts(port)
    .withWaitStrategy(Wait.forLogMessage(ready.line, ready.times))
    .start();
}
