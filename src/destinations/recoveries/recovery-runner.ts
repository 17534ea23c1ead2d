import type { Redeliveries } from '../../delivery/redelivery/redeliveries.js';
import { systemContext } from '../../events/envelope/system-context.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import type { LaneViewStore } from '../status/lane-view-store.js';
import type { Recoveries } from './recoveries.js';
import {
  hasUnfinishedRecoveries,
  type ClaimedRecovery,
  type Recovery,
  type RecoveryPosition,
  type RecoveryStore,
} from './recovery-store.js';

/** About how many deliveries a step makes pending: its progress is recorded after each. */
const MOST_RECOVERED_IN_STEP = 1_000;

/** Dependencies of the runner. */
export interface RecoveryRunnerParts {
  readonly store: RecoveryStore;
  readonly recoveries: Pick<Recoveries, 'end'>;
  readonly lanes: Pick<LaneViewStore, 'exists'>;
  readonly redeliveries: Pick<Redeliveries, 'range'>;
  readonly logger: Logger;
}

/** Redelivers the events of recoveries in the background, step by step, one recovery after the other. */
export class RecoveryRunner implements MaintenanceTask {
  readonly name = 'recoveries';
  /** The most that a recovery begins late, in milliseconds. */
  readonly intervalMs = 1_000;
  readonly hasWork = hasUnfinishedRecoveries;

  constructor(private readonly parts: RecoveryRunnerParts) {}

  /** Advances recoveries until none is unfinished. Ends early, without an error, when `stopped` aborts. */
  async run({ stopped, progressed }: TurnControl): Promise<void> {
    while (!stopped.aborted) {
      const recovery = await this.parts.store.claim();
      if (!recovery) return;
      await this.step(recovery);
      progressed();
    }
  }

  /** A step that is repeated after a crash counts those that it still finds. */
  private async step(recovery: ClaimedRecovery): Promise<void> {
    const { store, recoveries, lanes, redeliveries, logger } = this.parts;
    const { id, account_id: accountId, to_time: to } = recovery;
    const position = await this.position(recovery);
    if (position === null) {
      // No URI of the event needs the base.
      await recoveries.end(systemContext(accountId, 'recoveries', ''), id, 'finished');
      logger.info({ recovery: id, account_id: accountId, events: recovery.redelivered }, 'a recovery has finished');
      return;
    }
    const { destinationId, state, from } = position;
    const { count, nextFrom } = (await lanes.exists(accountId, destinationId))
      ? await redeliveries.range(destinationId, { state, from, to }, MOST_RECOVERED_IN_STEP)
      : { count: 0, nextFrom: null };
    const nextState = recovery.states[recovery.states.indexOf(state) + 1] ?? null;
    await store.advance(
      recovery,
      count,
      nextFrom
        ? { destinationId, state, from: nextFrom }
        : { destinationId, state: nextState, from: recovery.from_time },
    );
  }

  /** Returns where a step begins; null where nothing is left. */
  private async position(recovery: Recovery): Promise<Started | null> {
    const { states, from_time, at_destination_id: destinationId, at_state: state, at_time: from } = recovery;
    if (destinationId !== null && state !== null && from !== null) return { destinationId, state, from };
    const next = await this.parts.store.nextDestination(recovery, destinationId);
    const [first] = states;
    return next === undefined || first === undefined ? null : { destinationId: next, state: first, from: from_time };
  }
}

type Started = RecoveryPosition & { readonly state: NonNullable<RecoveryPosition['state']> };
