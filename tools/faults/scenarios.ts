import type { Scenario } from './scenario.js';
import { apiKilled } from './scenarios/api-killed.js';
import { backfillUnderLoad } from './scenarios/backfill-under-load.js';
import { blackHoles } from './scenarios/black-holes.js';
import { bothKilled } from './scenarios/both-killed.js';
import { clockStepsBack } from './scenarios/clock-steps-back.js';
import { databaseRestored } from './scenarios/database-restored.js';
import { deploy } from './scenarios/deploy.js';
import { diskFull } from './scenarios/disk-full.js';
import { outboxBacklog } from './scenarios/outbox-backlog.js';
import { pausedDestination } from './scenarios/paused-destination.js';
import { poisonRecord } from './scenarios/poison-record.js';
import { postgresAway, postgresHangs } from './scenarios/postgres-away.js';
import { postgresRestarted } from './scenarios/postgres-restarted.js';
import { publisherKilled } from './scenarios/publisher-killed.js';
import { redisAway } from './scenarios/redis-away.js';
import { redisEmptied } from './scenarios/redis-emptied.js';
import { redisFull } from './scenarios/redis-full.js';
import { relayKilled } from './scenarios/relay-killed.js';
import { replicaPromoted } from './scenarios/replica-promoted.js';
import { secondService } from './scenarios/second-service.js';
import { targetsDown } from './scenarios/targets-down.js';
import { targetsMisconfigured } from './scenarios/targets-misconfigured.js';
import { targetsPartial } from './scenarios/targets-partial.js';
import { targetsUnreliable } from './scenarios/targets-unreliable.js';
import { upgrade } from './scenarios/upgrade.js';
import { workerKilled } from './scenarios/worker-killed.js';
import { workerPaused } from './scenarios/worker-paused.js';

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  workerKilled,
  workerPaused,
  apiKilled,
  bothKilled,
  redisEmptied,
  redisAway,
  redisFull,
  postgresRestarted,
  postgresAway,
  postgresHangs,
  databaseRestored,
  replicaPromoted,
  targetsDown,
  targetsPartial,
  targetsUnreliable,
  targetsMisconfigured,
  pausedDestination,
  poisonRecord,
  blackHoles,
  backfillUnderLoad,
  deploy,
  upgrade,
  diskFull,
  clockStepsBack,
  secondService,
  publisherKilled,
  relayKilled,
  outboxBacklog,
];
