import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, Parser, type CST, type ParsedNode } from 'yaml';
import { echoed } from '../../../bounds/storable.js';
import { pointerTo } from '../../../http/problems/input-errors.js';
import type { InputError } from '../../../problems/problem.js';
import { unfitValues } from './unfit-values.js';

/** Most lexical tokens of a document: parsing takes a time in proportion to them. */
const MAX_LEXEMES = 10_000;
/** Most values of a document after its aliases are expanded. JSON of the longest policy has fewer. */
const MAX_VALUES = 12_288;

/** A YAML document as JSON values, or what is wrong with it. */
export type YamlDocument = { readonly value: unknown } | { readonly errors: readonly InputError[] };

/** Fault of a document. `path` leads to the value that has it. */
class YamlFault extends Error {
  constructor(
    readonly detail: string,
    readonly path: readonly (string | number)[] = [],
  ) {
    super(detail);
  }
}

/**
 * Reads a document of YAML 1.2 in the core schema. Its values are those of JSON: no tags, no directives, names are
 * text, and a name occurs once in a map. `<<` is a name like any other. Costs bounded time: a document of too many
 * tokens, levels or expanded aliases is refused before more of it is read.
 * @param deepest most levels of nested maps and lists
 */
export function readYaml(text: string, deepest: number): YamlDocument {
  try {
    const contents = compose(text, deepest);
    const value = contents === null ? null : new ValueReader(deepest).read(contents, []);
    const errors = unfitValues(value);
    return errors.length > 0 ? { errors } : { value };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    return { errors: [{ pointer: pointerTo(error.path, 'body'), detail: error.detail }] };
  }
}

function tooDeep(deepest: number): YamlFault {
  return new YamlFault(`must not have more than ${deepest} levels`);
}

/** The nodes of the document; null for an empty one. */
function compose(text: string, deepest: number): ParsedNode | null {
  const tokens = tokensOf(text);
  assertShallow(tokens, deepest);
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // ValueReader finds repeated names, in linear time and with a pointer.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [document, ...others] = composer.compose(tokens, true, text.length);
  if (others.length > 0) throw new YamlFault('must not have more than one YAML document');
  const [fault] = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  if (fault) throw new YamlFault(`is not YAML: ${placeOf(text, fault.pos[0])}: ${echoed(fault.message)}`);
  return document?.contents ?? null;
}

/** The syntax of the document. The parser of syntax is not recursive: nesting cannot exhaust the stack. */
function tokensOf(text: string): readonly CST.Token[] {
  const tokens: CST.Token[] = [];
  const take = (token: CST.Token) => {
    if (token.type === 'error')
      throw new YamlFault(
        `is not YAML: ${placeOf(text, token.offset)}: ${echoed(token.message.split('\n', 1)[0] ?? '')}`,
      );
    if (token.type === 'directive') throw new YamlFault('must not have YAML directives');
    tokens.push(token);
  };
  const parser = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MAX_LEXEMES) throw new YamlFault(`must not have more than ${MAX_LEXEMES} YAML tokens`);
    for (const token of parser.next(lexeme)) take(token);
  }
  for (const token of parser.end()) take(token);
  return tokens;
}

/** Descends level by level up to the limit: the composer, which is recursive, never gets a deeper document. */
function assertShallow(tokens: readonly CST.Token[], deepest: number): void {
  let level = tokens.flatMap((token) => (token.type === 'document' ? (token.value ?? []) : []));
  for (let depth = 0; level.length > 0; depth += 1) {
    const collections = level.filter((token) => 'items' in token);
    if (depth === deepest && collections.length > 0) throw tooDeep(deepest);
    level = collections.flatMap(({ items }) => items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat()));
  }
}

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** Converts the nodes of one document to JSON values. */
class ValueReader {
  private readonly anchors = new Map<string, ParsedNode>();
  private values = 0;

  constructor(private readonly deepest: number) {}

  read(node: ParsedNode, path: readonly (string | number)[], expanding = false): unknown {
    this.values += 1;
    if (this.values > MAX_VALUES) throw new YamlFault(`must not have more than ${MAX_VALUES} values`);
    if (isAlias(node)) return this.readAlias(node.source, path);
    // An alias means the last anchor of its name before it. Expanding an older one must not bring its anchors back.
    if (node.anchor !== undefined && !expanding) this.anchors.set(node.anchor, node);
    if (isScalar(node)) return scalar(node.value, path);
    if (path.length >= this.deepest) throw tooDeep(this.deepest);
    if (isSeq<ParsedNode>(node)) return node.items.map((item, index) => this.read(item, [...path, index], expanding));
    const entries = new Map<string, unknown>();
    if (!isMap<ParsedNode, ParsedNode | null>(node)) throw new YamlFault('is not a YAML value', path);
    for (const { key, value } of node.items) {
      if (!isScalar(key)) throw new YamlFault('must have only text as names', path);
      const name = String(key.value);
      const inner = [...path, name];
      if (entries.has(name)) throw new YamlFault('is given more than once', inner);
      entries.set(name, value === null ? null : this.read(value, inner, expanding));
    }
    return Object.fromEntries(entries);
  }

  private readAlias(name: string, path: readonly (string | number)[]): unknown {
    const target = this.anchors.get(name);
    if (!target)
      throw new YamlFault(`is an alias of ${JSON.stringify(echoed(name))}, which is not an anchor before it`, path);
    return this.read(target, path, true);
  }
}

function scalar(value: unknown, path: readonly (string | number)[]): string | number | boolean | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new YamlFault('must be a value that JSON has', path);
}
