import { DATABASE } from '../database/database.js';
import { WorkerListStore } from '../delivery/recovery/worker-list-store.js';
import type { AddRoutes } from '../http/server/added-routes.js';
import { provide, tokenOf } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { builtConsole, registerConsole } from './console-files.js';
import { ServiceController } from './service.controller.js';
import { SessionCodesController } from './session-codes.controller.js';
import { SessionController } from './session.controller.js';

/** The injection token of what adds the files of the console under `/console`. */
export const CONSOLE_ROUTES = tokenOf<AddRoutes>('ConsoleRoutes');

/** The routes of the console's sign-in, and of what it shows of the service. */
export const consoleControllers = [SessionController, SessionCodesController, ServiceController];

/** The console, and what its routes use. */
export const consoleProviders = [
  provide(WorkerListStore, [DATABASE]),
  provide(CONSOLE_ROUTES, [LOGGER], (logger) => (server) => registerConsole(server, builtConsole, logger)),
];
