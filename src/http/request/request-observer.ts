import { tokenOf } from '../../lifecycle/provide.js';

/** Results of publishing an event. */
export const publishResults = ['accepted', 'duplicate', 'refused'] as const;
export type PublishResult = (typeof publishResults)[number];

/** Observes the responses, for the metrics. Must neither throw nor wait. */
export interface RequestObserver {
  /**
   * @param request the pattern of its route (null: unknown route), the status, and the duration in milliseconds
   */
  responded(request: {
    readonly method: string;
    readonly route: string | null;
    readonly status: number;
    readonly durationMs: number;
  }): void;

  /** Called for each batch of published events, with the number of events by result. */
  published(events: Readonly<Partial<Record<PublishResult, number>>>): void;
}

/** The injection token of `RequestObserver`; null where nothing is measured. */
export const REQUEST_OBSERVER = tokenOf<RequestObserver | null>('RequestObserver');
