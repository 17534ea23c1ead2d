import { readFile } from 'node:fs/promises';
import { makeConfigurationTable } from './configuration-page.js';

const BEGIN = '<!-- settings:begin';
const END = '<!-- settings:end -->';

/**
 * The README with the table of settings between its two marks.
 * @throws Error when a mark is missing
 */
export async function makeReadme(): Promise<string> {
  const readme = await readFile('README.md', 'utf8');
  const afterBegin = readme.indexOf('\n', readme.indexOf(BEGIN)) + 1;
  const beforeEnd = readme.indexOf(END);
  if (!readme.includes(BEGIN) || beforeEnd < afterBegin)
    throw new Error('README.md has lost its marks for the settings.');
  return `${readme.slice(0, afterBegin)}\n${makeConfigurationTable()}\n\n${readme.slice(beforeEnd)}`;
}
