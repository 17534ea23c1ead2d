import type { WeightedSemaphore } from './weighted-semaphore.js';

/** The part of a BullMQ worker that this steers. */
export interface Adjustable {
  concurrency: number;
  pause(doNotWaitActive?: boolean): Promise<void>;
  resume(): Promise<void>;
}

/**
 * Keeps a worker's places free for lanes that get on. A call that takes long waits for the network and costs nothing but
 * memory; were it to keep its place, a few destinations that never answer would hold all of them, and every other
 * destination of that kind would wait with them. So a slow call lends the worker another place until it ends, unless all
 * slow calls together would hold too much.
 */
export class AdaptiveConcurrency {
  private slowCalls = 0;
  private taken = 0;

  /**
   * @param base places for calls that are not slow
   * @param most places in all: it bounds the calls under way
   * @param budget what the batches of slow calls may hold, of all workers that share it: it bounds their memory
   */
  constructor(
    private readonly worker: Adjustable,
    private readonly base: number,
    private readonly most: number,
    private readonly budget: WeightedSemaphore,
  ) {}

  /** Whether the worker would take another job: then no lane waits for a place. */
  get free(): boolean {
    return this.taken < this.worker.concurrency;
  }

  /** Says that a job takes a place. Gives a function to call once when it has ended. */
  enter(): () => void {
    this.taken += 1;
    return () => {
      this.taken -= 1;
    };
  }

  /**
   * Says that an attempt is slow. Gives a function to call once when it has ended.
   * @param bytes what its batch holds; where that is beyond the budget, the attempt keeps its place until others have given back
   */
  slow(bytes: number): () => void {
    let lent = 0;
    const giveBack = this.budget.ask(bytes, () => {
      lent = 1;
      this.slowCalls += 1;
      this.adjust();
    });
    return () => {
      this.slowCalls -= lent;
      // Another attempt of this worker may be granted what this one gives back: then the place stays lent.
      giveBack();
      this.adjust();
    };
  }

  private adjust(): void {
    const before = this.worker.concurrency;
    const now = Math.min(this.base + this.slowCalls, this.most);
    if (now === before) return;
    this.worker.concurrency = now;
    // With all places taken, BullMQ waits for a job to end before it looks at its concurrency again; resuming makes it look.
    if (now > before) void this.worker.pause(true).then(() => this.worker.resume());
  }
}
