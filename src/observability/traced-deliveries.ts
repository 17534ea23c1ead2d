import type { BatchDelivery } from '../delivery/lanes/batch-store.js';
import { unobserved, type AttemptObserver, type DeliveryObserver } from '../delivery/delivery-observer.js';
import type { Lease, Settlement } from '../delivery/lanes/lane.js';
import type { Span, Tracer } from '../tracing/span.js';

/** More would be cut off by the tracer. */
const MAX_LINKS = 128;

/**
 * Makes spans of attempts: one for the attempt, which links to the steps that recorded its events, and in it one for the call
 * to the target. A batch whose events are all of one trace is part of that trace as well, so that the whole way of a lone
 * change is one trace. Named as in https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
 */
export function tracedDeliveries(tracer: Tracer): DeliveryObserver {
  return { ...unobserved, attempt: (lease) => new TracedAttempt(tracer, lease) };
}

class TracedAttempt implements AttemptObserver {
  private readonly startedAt = Date.now();
  private span: Span | undefined;
  private call: Span | undefined;
  private sentAt: number | undefined;

  constructor(
    private readonly tracer: Tracer,
    private readonly lease: Lease,
  ) {}

  get traceId(): string | undefined {
    return this.span?.traceId;
  }

  loaded(deliveries: readonly BatchDelivery[]): void {
    this.span = this.begin(deliveries);
    const { targetKind } = this.lease;
    this.call = this.span.child(`send ${targetKind}`, {
      kind: 'client',
      attributes: { 'waybill.target.kind': targetKind, 'peer.service': targetKind },
    });
  }

  sent(): void {
    this.sentAt = Date.now();
  }

  settled(deliveries: readonly BatchDelivery[], settlement: Settlement): void {
    // A destination that cannot be used is not called.
    this.span ??= this.begin(deliveries);
    const { delivered, others, outcome, error } = settlement;
    this.call?.set({ 'http.response.status_code': error?.httpStatus });
    this.call?.end(error?.code, this.sentAt);
    this.span.set({
      'waybill.outcome': outcome,
      'waybill.delivered': delivered.length,
      'waybill.rejected': others.filter(({ state }) => state === 'rejected').length,
    });
    this.span.end(error?.code);
  }

  ended(): void {
    this.call?.end('fault', this.sentAt);
    this.span?.end('fault');
  }

  private begin(deliveries: readonly BatchDelivery[]): Span {
    const { targetKind, destinationId, batchId, attempt } = this.lease;
    const steps = new Set<string>();
    const traces = new Set<string>();
    for (const { traceParent } of deliveries) {
      traces.add(traceParent?.slice(0, 35) ?? '');
      if (traceParent !== null && steps.size < MAX_LINKS) steps.add(traceParent);
    }
    const [first] = steps;
    return this.tracer.start(`deliver ${targetKind}`, {
      kind: 'consumer',
      parent: traces.size === 1 ? first : undefined,
      links: [...steps],
      startedAt: this.startedAt,
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
    });
  }
}
