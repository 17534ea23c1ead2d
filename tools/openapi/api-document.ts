/** The parts of docs/openapi.json that the client is made from. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentedSchema>> & { readonly BuiltInEventPayload: DocumentedUnion };
    readonly parameters: Readonly<Record<string, DocumentedParameter>>;
  };
}

/** Returns the part of the document that another one refers to, or the part itself. */
export function resolved<Part extends { readonly $ref?: string }>(
  part: Part,
  named: Readonly<Record<string, Part>>,
): Part {
  return named[part.$ref?.split('/').at(-1) ?? ''] ?? part;
}

/** A union of named schemas, with the value of a member that tells each of them. */
interface DocumentedUnion {
  readonly discriminator: { readonly mapping: Readonly<Record<string, string>> };
}

/** An operation of the document. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** Roles of API keys that may call the operation; absent where it takes no API key. */
  readonly 'x-roles'?: readonly string[];
  /** The roles among them that may send some members of the body only: these, by role. */
  readonly 'x-restricted-roles'?: Readonly<Record<string, readonly string[]>>;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface DocumentedParameter {
  readonly $ref?: string;
  readonly in?: string;
}

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: DocumentedSchema } | undefined>>;
}

/** A schema of the document. */
export interface DocumentedSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}
