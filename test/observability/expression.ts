/** What an expression of Prometheus names. */
export interface ExpressionNames {
  /** Its metrics, each with the labels of its selector. */
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[];
  /** The labels of its results that it groups by; null when it does not group. */
  readonly groupedBy: readonly string[] | null;
}

/** The functions and aggregations that the files of this repository use. */
const functions = new Set(
  'absent histogram_quantile increase label_values max max_over_time min min_over_time rate sum time topk'.split(' '),
);

/** One token: a string, a range, a name, a number, or a sign. */
const token =
  /"[^"]*"|'[^']*'|\[(?:\d+[smhd]|\$__rate_interval)\]|[A-Za-z_][\w:]*|\d+(?:\.\d+)?|[=!]~|!=|[<>=]=|[-+*/<>(){}=,]/y;

/**
 * Returns the names in an expression. Knows the part of PromQL that the files of this repository use.
 * @throws Error where the expression has other functions or signs, or brackets without their counterparts
 */
export function namesOf(expression: string): ExpressionNames {
  const tokens = tokensOf(expression);
  const metrics: { name: string; labels: string[] }[] = [];
  let groupedBy: readonly string[] | null = null;
  const open: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [one = '', next = ''] = [tokens[at], tokens[at + 1]];
    if (one === '(' || one === '{') open.push(one);
    else if (one === ')' || one === '}') {
      if (open.pop() !== (one === ')' ? '(' : '{')) throw new Error(`a bracket has no counterpart: ${expression}`);
    } else if (!/^[A-Za-z_]/.test(one)) continue;
    else if (one === 'or' || one === 'unless') continue;
    else if (one === 'by') {
      const end = tokens.indexOf(')', at);
      groupedBy ??= tokens.slice(at + 2, end).filter((label) => label !== ',');
      at = end;
    } else if (open.at(-1) === '{') metrics.at(-1)?.labels.push(one);
    else if (next === '(' || next === 'by') {
      if (!functions.has(one)) throw new Error(`the function ${one} is unknown: ${expression}`);
    } else metrics.push({ name: one, labels: [] });
  }
  if (open.length > 0) throw new Error(`a bracket has no counterpart: ${expression}`);
  return { metrics, groupedBy };
}

function tokensOf(expression: string): readonly string[] {
  const tokens: string[] = [];
  for (let at = 0; at < expression.length;) {
    token.lastIndex = at;
    const [found] = token.exec(expression) ?? [];
    if (found !== undefined) tokens.push(found);
    else if (expression[at] !== ' ') throw new Error(`an unknown sign at ${at}: ${expression}`);
    at += found?.length ?? 1;
  }
  return tokens;
}
