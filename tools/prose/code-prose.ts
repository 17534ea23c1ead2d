import ts from 'typescript';

/** Fewest words of a literal that is a sentence rather than a name or a selector. */
const LEAST_WORDS = 4;

/**
 * Returns the comments and the sentences of a source file as Markdown, each in its line: the messages of errors and
 * logs, and what the console shows. Other lines are empty. Templates are left out, since most of them are SQL.
 */
export function codeProse(code: string, file: string): string {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const lines = code.split('\n').map(() => '');
  const add = (position: number, text: string): void => {
    const first = source.getLineAndCharacterOfPosition(position).line;
    for (const [index, line] of text.split('\n').entries()) lines[first + index] += ` ${line}`;
  };
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(code, node.getFullStart()) ?? []) {
      // A node and its first child share their comments.
      if (node.parent === undefined || node.parent.getFullStart() !== node.getFullStart())
        add(pos, withoutMarks(code.slice(pos, end)));
    }
    if (ts.isJsxText(node) || ts.isStringLiteral(node)) {
      const text = node.text.replaceAll(/\s+/g, ' ').trim();
      if (text.split(' ').length >= LEAST_WORDS) add(node.getStart(), /[.:?!]$/.test(text) ? text : `${text}.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines.map((line) => line.trim()).join('\n');
}

/** Removes the slashes and stars of a comment. A tag of the documentation begins a sentence. */
function withoutMarks(comment: string): string {
  return comment
    .replace(/^\/\*+/, '')
    .replace(/\*+\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\/\/|\*)\s?/, '').replace(/^@\w+ /, '. '))
    .join('\n');
}
