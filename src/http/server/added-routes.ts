import type { FastifyInstance } from 'fastify';
import { tokenOf } from '../../lifecycle/provide.js';

/** Adds routes that no controller has. */
export type AddRoutes = (server: FastifyInstance) => void;
/** The injection token of what adds such routes. */
export const ADDED_ROUTES = tokenOf<readonly AddRoutes[]>('AddedRoutes');
