import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createLogger } from '../logging/logger.js';
import { startEmbeddedStore } from './embedded-store.js';

it('says once why a data folder cannot be used, and which setting helps', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'waybill-data-'));
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  try {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    const error: unknown = await startEmbeddedStore(
      { DATA_DIR: path.join(file, 'data'), DATABASE_POOL_SIZE: 2 },
      logger,
    ).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'folder_unusable' });
    logger.fatal({ err: error }, 'the service could not start');
    const { message } = JSON.parse(lines.at(-1) ?? '').err as { readonly message: string };
    expect(message).toContain('Set DATA_DIR to a folder that this process can write.');
    expect(message.match(/ENOTDIR/g)).toEqual(['ENOTDIR']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
