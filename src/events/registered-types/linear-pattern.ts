import { RE2JS } from 're2js';

/** A compiled pattern, as ajv uses it. */
interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * Compiles a pattern of a schema for matching in linear time. The engine is RE2: it knows no look-around and no
 * back-references.
 * @throws Error when the pattern has another syntax
 */
export function linearPattern(pattern: string): Pattern {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text) => compiled.test(text), toString: () => `/${pattern}/` };
}

/** What ajv would write into generated source, which is never written. */
linearPattern.code = 'linearPattern';
