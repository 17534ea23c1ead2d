import type { Config } from '../../config/config.js';
import { StorageError, type ExportStorage } from './export-storage.js';
import { FOLDER_NAME, LocalFolder } from './local-folder.js';
import { S3Bucket } from './s3-bucket.js';

/** The settings of the storage. */
type StorageSettings = Pick<
  Config,
  'EXPORT_FOLDER' | 'EXPORT_BUCKET' | 'EXPORT_BUCKET_PREFIX' | 'EXPORT_BUCKET_REGION' | 'EXPORT_BUCKET_ENDPOINT'
>;

/** The present storage, and those of earlier settings in which files still are. */
export class ExportStorages {
  private readonly opened: Map<string, ExportStorage>;

  /**
   * @param current where new files are written
   * @param open opens the storage with a name
   */
  constructor(
    readonly current: ExportStorage,
    private readonly open: (name: string) => ExportStorage,
  ) {
    this.opened = new Map([[current.name, current]]);
  }

  /**
   * Returns the storages of an export, that of its latest attempt last.
   * @throws StorageError for a name that is no storage
   */
  of({ storages }: { readonly storages: readonly string[] }): readonly ExportStorage[] {
    return storages.length === 0 ? [this.current] : storages.map((name) => this.named(name));
  }

  private named(name: string): ExportStorage {
    const existing = this.opened.get(name);
    if (existing) return existing;
    const storage = this.open(name);
    this.opened.set(name, storage);
    return storage;
  }
}

/** Returns the storages of the settings. Nothing is opened before the first file. */
export function openExportStorages(settings: StorageSettings): ExportStorages {
  const { EXPORT_BUCKET: bucket, EXPORT_BUCKET_PREFIX: prefix, EXPORT_FOLDER: folder } = settings;
  const region = settings.EXPORT_BUCKET_REGION;
  const endpoint = settings.EXPORT_BUCKET_ENDPOINT;
  const open = (name: string): ExportStorage => {
    if (name === FOLDER_NAME) return new LocalFolder(folder);
    const [, namedBucket, namedPrefix] = /^s3:\/\/([^/]+)\/(.*)$/.exec(name) ?? [];
    if (namedBucket === undefined || namedPrefix === undefined)
      throw new StorageError('storage_unavailable', 'The storage of the file is unknown to this release.');
    return new S3Bucket({ bucket: namedBucket, prefix: namedPrefix, region, endpoint });
  };
  const current = bucket === undefined ? new LocalFolder(folder) : new S3Bucket({ bucket, prefix, region, endpoint });
  return new ExportStorages(current, open);
}
