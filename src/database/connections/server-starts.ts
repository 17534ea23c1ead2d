/** Notices that a server was restarted or replaced, from the start times that new connections report. */
export class ServerStarts {
  private last: string | undefined;
  private readonly listeners: (() => void)[] = [];

  /** Reports the start time of the server of a new connection. */
  saw(startedAt: string): void {
    const changed = this.last !== undefined && this.last !== startedAt;
    this.last = startedAt;
    if (changed) for (const listener of this.listeners) listener();
  }

  /** Calls `listener` when a server differs from the one before. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
}
