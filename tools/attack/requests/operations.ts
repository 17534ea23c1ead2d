/** An operation of the OpenAPI document. */
export interface Operation {
  readonly method: string;
  /** Path with parameters in braces. */
  readonly path: string;
  /** Schema of the body; undefined when there is none. */
  readonly body: unknown;
  /** Documented statuses. */
  readonly statuses: readonly number[];
}

interface DocumentedOperation {
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
}

/** The parts of the OpenAPI document that requests are made from. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Returns every operation of the document whose response ends: a stream has tests of its own. */
export function operationsOf({ paths }: Document): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !('text/event-stream' in (responses['200']?.content ?? {})))
      .map(([method, { responses, requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        body: requestBody?.content['application/json']?.schema,
        statuses: Object.keys(responses).map(Number),
      })),
  );
}

/** Replaces the parameters of a path of the document. */
export function fillPath(path: string, parameters: readonly string[]): string {
  let next = 0;
  return path.replaceAll(/\{\w+\}/g, () => parameters[next++] ?? '');
}
