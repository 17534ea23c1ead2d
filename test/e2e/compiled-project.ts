import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { installService } from '../../tools/service-bundle/cached-service.js';
import { compileFolders } from '../support/compiled-sources.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with the compiled `src` and `tools`, and the bundle `service`. The e2e tests start their programs. */
    compiledProject: string;
  }
}

/**
 * Compiles the project once for all e2e tests.
 * @returns a function that removes the compiled project
 */
export default async function compileProject(project: TestProject): Promise<() => Promise<void>> {
  const folder = await compileFolders('src', 'tools');
  await installService(path.resolve(import.meta.dirname, '../..'), path.join(folder, 'service'));
  project.provide('compiledProject', folder);
  return () => rm(folder, { recursive: true });
}
