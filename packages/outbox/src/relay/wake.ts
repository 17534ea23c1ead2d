/** A pause that can be ended early. A call that comes between two pauses ends the next one at once. */
export class Wake {
  private called = false;
  private end: (() => void) | null = null;

  /** Ends the pause, or the next one. */
  call(): void {
    this.called = true;
    this.end?.();
  }

  /** Waits until the time has passed, or until a call. */
  async wait(ms: number): Promise<void> {
    if (!this.called) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.end = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
      this.end = null;
    }
    this.called = false;
  }
}
