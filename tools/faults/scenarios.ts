import type { Scenario } from './scenario.js';
import { apiKilled } from './scenarios/api-killed.js';
import { bothKilled } from './scenarios/both-killed.js';
import { clockStepsBack } from './scenarios/clock-steps-back.js';
import { deploy } from './scenarios/deploy.js';
import { diskFull } from './scenarios/disk-full.js';
import { secondService } from './scenarios/second-service.js';
import { workerKilled } from './scenarios/worker-killed.js';

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  workerKilled,
  apiKilled,
  bothKilled,
  deploy,
  diskFull,
  clockStepsBack,
  secondService,
];
