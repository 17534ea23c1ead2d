import { z } from 'zod';
import { startLoopback } from './loopback-server.js';

const attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])));

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(''),
  name: z.string(),
  kind: z.number(),
  attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
});

const requestSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

/** A received span. */
export type ReceivedSpan = z.infer<typeof spanSchema> & { readonly resource: Record<string, unknown> };

/** A collector that keeps the accepted spans. */
export interface OtlpReceiver {
  readonly url: string;
  /** Sets the status of later responses; null: no response. 200 at the start. */
  respondWith(status: number | null): void;
  /** Number of requests so far, accepted or not. */
  requests(): number;
  /** Spans of the accepted requests. */
  spans(): readonly ReceivedSpan[];
  /** All requests as text, headers included. */
  text(): string;
  close(): Promise<void>;
}

/** Starts a collector for OTLP/HTTP in JSON on a free port of 127.0.0.1. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const accepted: string[] = [];
  let status: number | null = 200;
  const server = await startLoopback(({ method, path, body }) => {
    if (status === null) return 'never';
    if (method !== 'POST' || path !== '/v1/traces') return { status: 404 };
    if (status === 200) accepted.push(body);
    return { status, headers: { 'content-type': 'application/json' }, body: '{}' };
  });
  return {
    url: server.url,
    respondWith: (next) => {
      status = next;
    },
    requests: () => server.requests.length,
    spans: () =>
      accepted
        .flatMap((body) => requestSchema.parse(JSON.parse(body)).resourceSpans)
        .flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, resource: resource.attributes }))),
        ),
    text: () => server.requests.map((request) => JSON.stringify(request)).join('\n'),
    close: () => server.close(),
  };
}
