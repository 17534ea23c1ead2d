import { withTimeout } from '../timing/with-timeout.js';

/** Longest that a lookup waits for the one before it, in milliseconds: one on a connection that hangs must not hold up all others. */
const LONGEST_WAIT_MS = 50;

/**
 * Puts the same question once for everybody who asks it while it is being answered. Not a cache: who asks while a lookup is under
 * way does not get its answer, which may be older than they are, but that of the next one, which begins when it has ended.
 */
export class SharedLookups<Answer> {
  private readonly running = new Map<string, Promise<Answer>>();
  private readonly next = new Map<string, Promise<Answer>>();

  /** The answer to a question that `lookup` is put after this call. Fails as the lookup does, for everybody who shares it. */
  ask(question: string, lookup: () => Promise<Answer>): Promise<Answer> {
    const next = this.next.get(question);
    if (next) return next;
    const running = this.running.get(question);
    if (!running) return this.begin(question, lookup);
    const before = running.catch(() => undefined);
    const following = withTimeout(before, LONGEST_WAIT_MS).then(() => {
      this.next.delete(question);
      return this.begin(question, lookup);
    });
    this.next.set(question, following);
    return following;
  }

  private begin(question: string, lookup: () => Promise<Answer>): Promise<Answer> {
    const running = lookup().finally(() => {
      if (this.running.get(question) === running) this.running.delete(question);
    });
    this.running.set(question, running);
    return running;
  }
}
