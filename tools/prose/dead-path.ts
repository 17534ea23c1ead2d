import { existsSync } from 'node:fs';
import path from 'node:path';
import type { TextlintRuleModule } from '@textlint/kernel';

/** A path below a folder of the repository, or of a package for its README: `src/http/response/etag.ts`. */
const repositoryPath = /^(?:src|test|tools|docs|packages|\.ci)\/[\w./-]+$/;

/** A textlint rule: relative links, and paths of the repository in inline code, name files that exist. */
export const deadPath: TextlintRuleModule = (context) => {
  const { Syntax, report, RuleError, getFilePath } = context;
  const folder = path.dirname(getFilePath() ?? '.');
  return {
    [Syntax.Link](node) {
      const [target] = node.url.split('#');
      if (target === undefined || target === '' || /^[a-z]+:/.test(target)) return;
      if (!existsSync(path.join(folder, target))) report(node, new RuleError(`No such file: ${target}`));
    },
    [Syntax.Code](node) {
      if (!repositoryPath.test(node.value)) return;
      if (existsSync(node.value) || existsSync(path.join(folder, node.value))) return;
      report(node, new RuleError(`No such file: ${node.value}`));
    },
  };
};
