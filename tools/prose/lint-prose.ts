import { createRequire } from 'node:module';
import { TextlintKernel, type TextlintKernelOptions, type TextlintRuleModule } from '@textlint/kernel';
import type { TextlintPluginCreator } from '@textlint/kernel';
import terminology from 'textlint-rule-terminology';
import { deadPath } from './dead-path.js';
import { LONGEST_SENTENCE, terms } from './rules.js';

/** Both are CommonJS, whose default export differs between loaders when it is imported. */
const require = createRequire(import.meta.url);
const markdown = require('@textlint/textlint-plugin-markdown') as { default: TextlintPluginCreator };
const sentenceLength = require('textlint-rule-sentence-length') as { default: TextlintRuleModule };

const kernel = new TextlintKernel();

const options: Omit<TextlintKernelOptions, 'filePath'> = {
  ext: '.md',
  plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
  rules: [
    { ruleId: 'sentence-length', rule: sentenceLength.default, options: { max: LONGEST_SENTENCE } },
    { ruleId: 'terminology', rule: terminology, options: { defaultTerms: false, terms } },
    { ruleId: 'dead-path', rule: deadPath },
  ],
};

/** A passage that a rule does not allow. */
export interface ProseFinding {
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/**
 * Checks Markdown against the prose rules.
 * @param filePath file of the text: relative links start from it
 * @returns findings in the order of the text
 */
export async function lintProse(text: string, filePath: string): Promise<readonly ProseFinding[]> {
  const { messages } = await kernel.lintText(text, { ...options, filePath });
  return messages.map(({ line, ruleId, message }) => ({
    line,
    rule: ruleId,
    message: message.split('\n').join(' '),
  }));
}
