import type { Lease, LaneStore } from './lane-store.js';

/**
 * How long a lease lasts unless it is renewed, in milliseconds. A worker that dies in the middle of a batch keeps it from
 * others for so long; a worker that cannot renew for so long ends its call, for another may have begun.
 */
export const LEASE_MS = 15_000;

/** Renews the lease of one attempt while it is being made. */
export class LeaseKeeper {
  readonly #lanes: LaneStore;
  readonly #lease: Lease;
  readonly #call: AbortController;
  readonly #timer: NodeJS.Timeout;
  #until = performance.now() + LEASE_MS;

  /** @param call aborted when the lease is lost or has run out */
  constructor(lanes: LaneStore, lease: Lease, call: AbortController) {
    this.#lanes = lanes;
    this.#lease = lease;
    this.#call = call;
    this.#timer = setInterval(() => void this.#renew(), LEASE_MS / 5);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    const asked = performance.now();
    try {
      if (await this.#lanes.renew(this.#lease, LEASE_MS)) this.#until = asked + LEASE_MS;
      else this.#call.abort();
    } catch {
      // Postgres is away: nobody else gets the lease meanwhile, but once it is over somebody may.
      if (performance.now() >= this.#until) this.#call.abort();
    }
  }
}
