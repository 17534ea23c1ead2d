import type { Config } from '../../config/config.js';
import type { ExportStorage } from './export-storage.js';
import { LocalFolder } from './local-folder.js';
import { S3Bucket } from './s3-bucket.js';

/** The settings of the storage. */
type StorageSettings = Pick<
  Config,
  'EXPORT_FOLDER' | 'EXPORT_BUCKET' | 'EXPORT_BUCKET_PREFIX' | 'EXPORT_BUCKET_REGION' | 'EXPORT_BUCKET_ENDPOINT'
>;

/** Returns the storage of the settings. Nothing is opened before the first file. */
export function openExportStorage(settings: StorageSettings): ExportStorage {
  const { EXPORT_BUCKET: bucket, EXPORT_FOLDER: folder } = settings;
  if (bucket === undefined) return new LocalFolder(folder);
  return new S3Bucket({
    bucket,
    prefix: settings.EXPORT_BUCKET_PREFIX,
    region: settings.EXPORT_BUCKET_REGION,
    endpoint: settings.EXPORT_BUCKET_ENDPOINT,
  });
}
