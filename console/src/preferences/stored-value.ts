/** A value that this browser keeps for all its tabs. Where it stores nothing, the value holds until the page closes. */
export class StoredValue<Value> {
  private current: Value;
  private readonly listeners = new Set<() => void>();

  /** @param parse returns the value of what was stored, which may be anything; null: nothing */
  constructor(
    private readonly key: string,
    private readonly parse: (stored: unknown) => Value,
  ) {
    this.current = this.stored();
    // Another tab has changed it. A value lives as long as the page.
    window.addEventListener('storage', ({ key: changed }) => {
      if (changed === key) this.change(this.stored());
    });
  }

  readonly read = (): Value => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  write(value: Value): void {
    try {
      localStorage.setItem(this.key, JSON.stringify(value));
    } catch {
      // The value holds until the page is closed.
    }
    this.change(value);
  }

  private change(value: Value): void {
    this.current = value;
    for (const listener of this.listeners) listener();
  }

  private stored(): Value {
    try {
      return this.parse(JSON.parse(localStorage.getItem(this.key) ?? 'null'));
    } catch {
      return this.parse(null);
    }
  }
}
