import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { codeProse } from './code-prose.js';
import { lintProse } from './lint-prose.js';
import { openApiTexts } from './openapi-texts.js';

/** Files, and folders whose Markdown files are checked. */
const checked = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs',
  'tools',
  'packages',
  'examples',
];
/** Folders whose source is checked: its comments, its messages and what the console shows. Tests are not. */
const sources = ['src', 'tools', 'packages', 'console/src'];
const OPENAPI_FILE = 'docs/openapi.json';

/** The Markdown files among `checked`, dependencies of packages left out. */
function markdownFiles(): readonly string[] {
  return checked
    .filter((entry) => existsSync(entry))
    .flatMap((entry) =>
      entry.endsWith('.md')
        ? [entry]
        : readdirSync(entry, { recursive: true, encoding: 'utf8' }).map((file) => path.join(entry, file)),
    )
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'));
}

function sourceFiles(): readonly string[] {
  return sources
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    )
    .filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !/\.(test|d)\.tsx?$|node_modules|generated|\/(dist|test)\/|prose\/rules\.ts$/.test(file),
    );
}

const findings: string[] = [];
for (const file of markdownFiles()) {
  for (const { line, rule, message } of await lintProse(readFileSync(file, 'utf8'), file)) {
    findings.push(`${file}:${line} ${rule}: ${message}`);
  }
}
for (const file of sourceFiles()) {
  for (const { line, rule, message } of await lintProse(codeProse(readFileSync(file, 'utf8'), file), file)) {
    // Lists of parameters and members make long sentences in comments.
    if (rule !== 'sentence-length') findings.push(`${file}:${line} ${rule}: ${message}`);
  }
}
for (const { pointer, text } of openApiTexts(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')))) {
  for (const { rule, message } of await lintProse(text, OPENAPI_FILE)) {
    findings.push(`${OPENAPI_FILE}#${pointer} ${rule}: ${message}`);
  }
}
if (findings.length > 0) {
  console.error(findings.join('\n'));
  console.error(`${findings.length} findings. tools/prose/rules.ts has the rules and docs/glossary.md the terms.`);
  process.exitCode = 1;
}
