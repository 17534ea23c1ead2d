import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { compileFolders } from '../support/compiled-sources.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with the compiled `src` and `tools`, whose programs the e2e tests start. They write nothing into it. */
    compiledProject: string;
  }
}

/**
 * Compiles the project once for all e2e tests.
 * @returns a function that removes the compiled project
 */
export default async function compileProject(project: TestProject): Promise<() => Promise<void>> {
  const folder = await compileFolders('src', 'tools');
  project.provide('compiledProject', folder);
  return () => rm(folder, { recursive: true });
}
