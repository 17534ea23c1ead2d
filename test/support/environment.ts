import { vi } from 'vitest';

/**
 * Sets variables of this process's environment, from which the vendors' clients read for themselves; undefined removes
 * one. `vi.unstubAllEnvs()` puts back what was there before.
 */
export function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}
