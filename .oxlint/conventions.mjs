/** Lint rules for private members, constants, stores and comments: a plugin of oxlint (.oxlintrc.json). */

const PRINT_WIDTH = 120;

/** @param {any} node @returns {boolean} whether the expression is a number or a string known at compile time */
function isLiteral(node) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'number' || typeof node.value === 'string' || typeof node.value === 'bigint';
    case 'TemplateLiteral':
      return node.expressions.length === 0;
    case 'UnaryExpression':
      return isLiteral(node.argument);
    case 'BinaryExpression':
      return [node.left, node.right].every((side) => isLiteral(side) || /^[A-Z0-9_]+$/.test(side.name ?? ''));
    case 'TSAsExpression':
      return isLiteral(node.expression);
    default:
      return false;
  }
}

/** @param {any} statement @returns {any[]} the declarations of a module-level `const` */
function constantsOf(statement) {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return declaration?.type === 'VariableDeclaration' && declaration.kind === 'const' ? declaration.declarations : [];
}

const privateKeyword = {
  create: (context) => ({
    PrivateIdentifier(node) {
      context.report({ node, message: `Use the keyword "private" instead of "#${node.name}".` });
    },
  }),
};

const constantCase = {
  create: (context) => ({
    Program(program) {
      if (!context.filename.endsWith('.ts')) return;
      for (const { id, init } of program.body.flatMap(constantsOf)) {
        if (id.type !== 'Identifier' || !isLiteral(init) || /^[A-Z][A-Z0-9_]*$/.test(id.name)) continue;
        context.report({ node: id, message: `Write the module-level literal "${id.name}" in UPPER_CASE.` });
      }
    },
  }),
};

const storeClass = {
  create: (context) => ({
    Program(program) {
      if (!context.filename.endsWith('-store.ts')) return;
      for (const { id, init } of program.body.flatMap(constantsOf)) {
        const holdsMethods =
          init?.type === 'ObjectExpression' && init.properties.some(({ value }) => /Function/.test(value?.type ?? ''));
        if (!holdsMethods) continue;
        context.report({ node: id, message: 'Make the store a class on a Database or a Transaction.' });
      }
    },
  }),
};

const commentWidth = {
  create: (context) => ({
    Program() {
      const { sourceCode } = context;
      for (const comment of sourceCode.getAllComments()) {
        for (let line = comment.loc.start.line; line <= comment.loc.end.line; line += 1) {
          const text = sourceCode.lines[line - 1] ?? '';
          const startsWithComment = /^\s*(\/\/|\/\*|\*)/.test(text);
          // A long URL or path cannot be wrapped.
          const canBeWrapped = text.trim().split(/\s+/).length > 2;
          if (text.length <= PRINT_WIDTH || !startsWithComment || !canBeWrapped) continue;
          context.report({
            loc: { line, column: PRINT_WIDTH },
            message: `Wrap the comment at ${PRINT_WIDTH} characters.`,
          });
        }
      }
    },
  }),
};

export default {
  meta: { name: 'conventions' },
  rules: {
    'private-keyword': privateKeyword,
    'constant-case': constantCase,
    'store-class': storeClass,
    'comment-width': commentWidth,
  },
};
