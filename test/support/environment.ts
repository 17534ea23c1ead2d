import { vi } from 'vitest';

/**
 * Sets environment variables of this process, which the vendors' clients read; undefined removes a variable.
 * `vi.unstubAllEnvs()` restores the previous values.
 */
export function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}
