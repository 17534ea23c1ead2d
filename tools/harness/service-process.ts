import { freePort } from '@waybill/embedded-postgres';
import { compiled, Program } from './program.js';

/** Node options of `npm start` and of the image. */
const NODE_DEFAULTS = ['--max-old-space-size=384'];

/**
 * Returns the service as a program, on `PORT` or a free port.
 * @param nodeOptions options of Node such as `--cpu-prof`
 */
export async function serviceProgram(
  settings: Readonly<Record<string, string>>,
  logFile: string,
  nodeOptions: readonly string[] = [],
): Promise<Program> {
  const port = settings.PORT ?? String(await freePort());
  return new Program({
    name: 'The service',
    args: [...NODE_DEFAULTS, ...nodeOptions, compiled('dist/service/main.js')],
    settings: { ...settings, HOST: '127.0.0.1', PORT: port },
    logFile,
    baseUrl: `http://127.0.0.1:${port}`,
    readyPath: '/readyz',
  });
}

/** Starts the service and waits until it is ready. */
export async function startService(...how: Parameters<typeof serviceProgram>): Promise<Program> {
  const service = await serviceProgram(...how);
  await service.start();
  return service;
}
