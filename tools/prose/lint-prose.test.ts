import { describe, expect, it } from 'vitest';
import { lintProse } from './lint-prose.js';
import { openApiTexts } from './openapi-texts.js';

const rulesIn = async (text: string): Promise<readonly string[]> =>
  (await lintProse(text, 'README.md')).map(({ rule }) => rule);

const longSentence = `The worker ${'claims a batch and '.repeat(12)}stops.`;

describe('lintProse', () => {
  it('finds a sentence that is too long, in a paragraph and in a list', async () => {
    expect(await rulesIn(longSentence)).toEqual(['sentence-length']);
    expect(await rulesIn(`- ${longSentence}`)).toEqual(['sentence-length']);
  });

  it('does not measure tables and code', async () => {
    expect(await rulesIn(`| a |\n| - |\n| ${longSentence} |`)).toEqual([]);
    expect(await rulesIn(`\`\`\`text\n${longSentence}\n\`\`\``)).toEqual([]);
  });

  it('finds a banned phrase also where a line breaks in it, and names its replacement', async () => {
    expect(await lintProse('The event\ngoes\nbehind the others.', 'README.md')).toEqual([
      { line: 2, rule: 'terminology', message: expect.stringContaining('“is queued after”') },
    ]);
  });

  it('finds a banned word in a table', async () => {
    expect(await rulesIn('| a |\n| - |\n| Somebody waits. |')).toEqual(['terminology']);
  });

  it('finds a link and a path to a file that does not exist', async () => {
    const text = '[page](docs/missing.md), `src/missing.ts`, [page](docs/errors.md#errors), `src/main.ts`.';
    expect(await rulesIn(text)).toEqual(['dead-path', 'dead-path']);
  });

  it('accepts plain sentences', async () => {
    expect(await rulesIn('The worker claims a batch. It sends the batch to Postgres.')).toEqual([]);
  });
});

describe('openApiTexts', () => {
  it('collects each summary and description once, with its pointer', () => {
    const document = {
      paths: { '/a': { get: { summary: 'Reads a.', description: 'Long.' }, post: { summary: 'Reads a.' } } },
      components: {
        schemas: { a: { properties: { description: { type: 'string', description: 'Its use.' } } } },
      },
    };
    expect(openApiTexts(document)).toEqual([
      { pointer: '/paths/~1a/get/summary', text: 'Reads a.' },
      { pointer: '/paths/~1a/get/description', text: 'Long.' },
      { pointer: '/components/schemas/a/properties/description/description', text: 'Its use.' },
    ]);
  });
});
