import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const service = z.object({
  image: z.string(),
  build: z.unknown().optional(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  healthcheck: z.object({ test: z.array(z.string()), interval: z.string(), timeout: z.string() }).optional(),
  depends_on: z
    .record(z.string(), z.object({ condition: z.string(), required: z.boolean().default(true) }))
    .default({}),
  deploy: z.object({ mode: z.string().optional(), replicas: z.number() }).optional(),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  container_name: z.string().optional(),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  stop_grace_period: z.string().optional(),
});

const composeFile = z.object({
  name: z.string(),
  include: z.array(z.string()).default([]),
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});

/** A service of a compose file. */
export type ComposeService = z.infer<typeof service>;

/**
 * Parses a compose file, with its merge keys.
 * @throws ZodError if it has another form than the files of this repository
 */
export function parseCompose(text: string): z.infer<typeof composeFile> {
  return composeFile.parse(parse(text, { merge: true, uniqueKeys: true }));
}

/** Returns the lines `NAME=value` of a file of settings; with `commented`, also those in comments. */
export function settingsOf(file: string, commented = false): Record<string, string> {
  const line = commented ? /^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/ : /^([A-Z][A-Z0-9_]*)=(.*)$/;
  return Object.fromEntries(
    file.split('\n').flatMap((row) => {
      const [, name, value] = line.exec(row) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as `docker compose` does. */
export function interpolate(value: string, settings: Readonly<Record<string, string>>): string {
  return value.replaceAll(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_match, name: string, kind?: string, rest?: string) => {
      const given = settings[name];
      if (given) return given;
      if (kind === '?') throw new Error(`${name}: ${rest}`);
      return kind === '-' ? (rest ?? '') : '';
    },
  );
}

/** Returns the names of the folders in `folder` that have a manifest of npm. */
export async function workspacesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names.filter((name) => existsSync(path.join(folder, name, 'package.json')));
}
