/** Is told of every request that was answered, for the metrics. Nothing in it may throw or wait. */
export interface RequestObserver {
  /** @param request its route's pattern (null: there is no such route), its status, and how long it took, in milliseconds */
  responded(request: {
    readonly method: string;
    readonly route: string | null;
    readonly status: number;
    readonly durationMs: number;
  }): void;
}

/** The injection token of `RequestObserver`; null where nothing is measured. */
export const REQUEST_OBSERVER = Symbol('RequestObserver');
