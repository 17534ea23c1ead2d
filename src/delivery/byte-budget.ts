/** Bytes that several may hold together. */
export class ByteBudget {
  readonly #most: number;
  #held = 0;

  /** @param most bytes that may be held at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes so many bytes, if they are there. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    this.#held += bytes;
    return true;
  }

  /** Gives back what was taken. */
  give(bytes: number): void {
    this.#held -= bytes;
  }
}
