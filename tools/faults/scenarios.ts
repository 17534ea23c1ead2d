import type { Scenario } from './scenario.js';
import { workerKilled } from './scenarios/worker-killed.js';

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [workerKilled];
