import { RE2JS } from 're2js';

/** A character with a meaning of its own, or one by its number. */
const ESCAPED = String.raw`\\(?:[\\^$.*+?()[\]{}|/-]|x[0-9a-f]{2}|[tnrfv])`;
/** A class without the pairs that Python reserves: `--`, `&&`, `~~`, `||`. */
const CLASS = String.raw`\[\^?(?:(?!--|&&|~~|\|\|)[ -Z^-~]|${ESCAPED})+\]`;
const ONE = String.raw`[ !"#%&',/0-9:;<=>@A-Z_\x60a-z~-]|${ESCAPED}|${CLASS}`;
const MANY = String.raw`(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})\??`;
const shared = new RegExp(`^(?:\\((?:\\?:|(?!\\?))|[)^$|]|${ONE}|${MANY})*$`);

/**
 * Returns whether a pattern is one for ECMA-262 with the flag `u`, RE2 and Python's `re`, and means the same there:
 * ASCII without flags, names of groups, look-around, back-references, the dot, and the short classes such as `\d`,
 * which differ beyond ASCII. One difference is left: in Python, `$` also matches before a line feed at the end.
 */
export function isSharedPattern(pattern: string): boolean {
  if (!shared.test(pattern)) return false;
  try {
    RegExp(pattern, 'u');
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}
