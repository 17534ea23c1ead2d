import { pointerTo } from '../../../http/problems/input-errors.js';
import { isJsonObject, type JsonObject } from '../../envelope/json-object.js';
import { applicators, type Applicator } from './schema-keywords.js';

/** One subschema of a schema. */
export interface SchemaNode {
  /** An object, or a boolean. */
  readonly schema: unknown;
  readonly path: readonly (string | number)[];
  /** RFC 6901 pointer into the schema. */
  readonly pointer: string;
}

/** A subschema below another, and where it is there. */
export interface ChildNode extends Applicator {
  readonly node: SchemaNode;
  readonly keyword: string;
  /** Name or position in a map or list; null for a single subschema. */
  readonly key: string | number | null;
}

const documents = new WeakMap<JsonObject, SchemaDocument>();

/** A schema with its subschemas. The meta-schema has accepted it. */
export class SchemaDocument {
  readonly root: SchemaNode;
  /** Every subschema by pointer, the root included, in document order. */
  readonly nodes: ReadonlyMap<string, SchemaNode>;

  /** Returns the document of a schema, which is made once for each schema object. */
  static of(schema: JsonObject): SchemaDocument {
    let document = documents.get(schema);
    if (!document) {
      document = new SchemaDocument(schema);
      documents.set(schema, document);
    }
    return document;
  }

  private constructor(schema: JsonObject) {
    this.root = { schema, path: [], pointer: '' };
    const nodes = new Map<string, SchemaNode>();
    const open = [this.root];
    for (let node = open.pop(); node; node = open.pop()) {
      nodes.set(node.pointer, node);
      open.push(
        ...childrenOf(node)
          .map((child) => child.node)
          .toReversed(),
      );
    }
    this.nodes = nodes;
  }

  /** Returns the subschema that a reference names: `#` or `#/$defs/name`. Undefined for any other. */
  target(reference: string): SchemaNode | undefined {
    if (!reference.startsWith('#')) return undefined;
    return this.nodes.get(decoded(reference.slice(1)) ?? 'none');
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

const known = new WeakMap<SchemaNode, readonly ChildNode[]>();

/** Returns the subschemas directly below a schema, which are the same ones in each call. */
export function childrenOf(node: SchemaNode): readonly ChildNode[] {
  let children = known.get(node);
  if (!children) {
    children = madeChildren(node);
    known.set(node, children);
  }
  return children;
}

function madeChildren({ schema, path }: SchemaNode): readonly ChildNode[] {
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]): ChildNode[] => {
    const applicator = applicators.get(keyword);
    if (!applicator) return [];
    const child = (key: string | number | null, inner: unknown): ChildNode => {
      const at = key === null ? [...path, keyword] : [...path, keyword, key];
      return { ...applicator, keyword, key, node: { schema: inner, path: at, pointer: pointerTo(at, 'body') } };
    };
    if (applicator.form === 'schema') return [child(null, value)];
    if (Array.isArray(value)) return value.map((inner: unknown, index) => child(index, inner));
    return isJsonObject(value) ? Object.entries(value).map(([name, inner]) => child(name, inner)) : [];
  });
}
