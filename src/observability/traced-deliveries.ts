import { SpanKind, trace, type Link, type Span } from '@opentelemetry/api';
import type { AttemptObserver, DeliveryObserver } from '../delivery/delivery-observer.js';
import type { BatchDelivery } from '../delivery/lanes/batch-store.js';
import type { Lease, Settlement } from '../delivery/lanes/lane.js';
import { contextOf, endSpan, MAX_LINKS, startChild, startSpan } from '../tracing/span.js';

/** Length of `00-<trace id>`, the start of a `traceparent` that all spans of one trace share. */
const TRACE_PREFIX_LENGTH = 35;

/**
 * Traces attempts: one span for the attempt, with links to the spans that recorded its events, and a child span for the
 * call to the target. When all events of the batch are of one trace, the attempt joins that trace: a single change is
 * one trace from the request to the target. Names follow
 * https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
 * @param observer the other observer, whose methods need no `this`
 */
export function tracedDeliveries(observer: DeliveryObserver): DeliveryObserver {
  return { ...observer, attempt: (lease) => new TracedAttempt(lease, observer.attempt(lease)) };
}

class TracedAttempt implements AttemptObserver {
  private readonly startedAt = Date.now();
  private span: Span | undefined;
  private call: Span | undefined;
  private sentAt: number | undefined;

  constructor(
    private readonly lease: Lease,
    private readonly other: AttemptObserver,
  ) {}

  get traceId(): string | undefined {
    return this.span?.spanContext().traceId;
  }

  loaded(deliveries: readonly BatchDelivery[]): void {
    this.other.loaded(deliveries);
    this.span = this.start(deliveries);
    const { targetKind } = this.lease;
    this.call = startChild(this.span, `send ${targetKind}`, {
      kind: SpanKind.CLIENT,
      attributes: { 'waybill.target.kind': targetKind, 'peer.service': targetKind },
    });
  }

  sent(): void {
    this.other.sent();
    this.sentAt = Date.now();
  }

  settled(deliveries: readonly BatchDelivery[], settlement: Settlement): void {
    this.other.settled(deliveries, settlement);
    // An unusable destination is not called, so `loaded` was not called either.
    this.span ??= this.start(deliveries);
    const { delivered, undelivered, outcome, error } = settlement;
    if (this.call) {
      if (error?.httpStatus !== undefined) this.call.setAttribute('http.response.status_code', error.httpStatus);
      endSpan(this.call, error?.code, this.sentAt);
    }
    this.span.setAttributes({
      'waybill.outcome': outcome,
      'waybill.delivered': delivered.length,
      'waybill.rejected': undelivered.filter(({ state }) => state === 'rejected').length,
    });
    endSpan(this.span, error?.code);
  }

  ended(): void {
    this.other.ended();
    // Spans that `settled` has ended ignore this.
    if (this.call) endSpan(this.call, 'fault', this.sentAt);
    if (this.span) endSpan(this.span, 'fault');
  }

  private start(deliveries: readonly BatchDelivery[]): Span {
    const { targetKind, destinationId, batchId, attempt } = this.lease;
    const parents = new Set<string>();
    const traces = new Set<string>();
    for (const { traceParent } of deliveries) {
      traces.add(traceParent?.slice(0, TRACE_PREFIX_LENGTH) ?? '');
      if (traceParent !== null && parents.size < MAX_LINKS) parents.add(traceParent);
    }
    const contexts = [...parents].map(contextOf);
    const links = contexts.map(trace.getSpanContext).flatMap((context): Link[] => (context ? [{ context }] : []));
    return startSpan(
      `deliver ${targetKind}`,
      {
        kind: SpanKind.CONSUMER,
        links,
        startTime: this.startedAt,
        attributes: {
          'messaging.system': 'waybill',
          'messaging.operation.name': 'deliver',
          'messaging.operation.type': 'process',
          'messaging.destination.name': destinationId,
          'messaging.batch.message_count': deliveries.length,
          'waybill.target.kind': targetKind,
          'waybill.batch.id': batchId,
          'waybill.attempt': attempt,
        },
      },
      traces.size === 1 ? contexts[0] : undefined,
    );
  }
}
