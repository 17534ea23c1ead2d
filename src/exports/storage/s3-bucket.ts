import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ExportStorage, Upload } from './export-storage.js';
import { isMissing, s3Error } from './s3-errors.js';
import { S3Upload, type S3Target } from './s3-upload.js';
import type * as vendor from './vendor.js';

/** Timeout of opening a connection, in milliseconds. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** Timeout of a response, in milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Tries of each call: an error then fails the export. */
const MOST_TRIES = 4;

/** Where a bucket is. */
export interface BucketAddress {
  readonly bucket: string;
  /** Beginning of the keys. */
  readonly prefix: string;
  /** Undefined: the one that the SDK finds. */
  readonly region: string | undefined;
  /** Of another store than AWS, with the bucket in the path. */
  readonly endpoint: string | undefined;
}

/** Files of exports in an S3-compatible bucket. The client is loaded with the first file. */
export class S3Bucket implements ExportStorage {
  private loaded: Promise<Pick<S3Target, 'sdk' | 'client'>> | undefined;

  constructor(
    private readonly address: BucketAddress,
    private readonly partBytes?: number,
  ) {}

  async begin(name: string, signal: AbortSignal): Promise<Upload> {
    return new S3Upload(await this.target(name), signal, this.partBytes);
  }

  async sizeOf(name: string): Promise<number | null> {
    const { sdk, client, bucket, key } = await this.target(name);
    try {
      const { ContentLength } = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }));
      return ContentLength ?? null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw s3Error(error);
    }
  }

  async *read(name: string): AsyncIterable<Uint8Array> {
    const { sdk, client, bucket, key } = await this.target(name);
    const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
    if (!(Body instanceof Readable)) throw new Error('The object has no content.');
    const content: AsyncIterable<Uint8Array> = Body;
    yield* content;
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const { sdk, client, bucket, key } = await this.target(name);
      try {
        const list = new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key });
        const { Uploads = [] } = await client.send(list);
        for (const { Key, UploadId } of Uploads) {
          if (Key !== key) continue;
          await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
        }
        await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }));
      } catch (error) {
        throw s3Error(error);
      }
    }
  }

  private async target(name: string): Promise<S3Target> {
    const { bucket, prefix } = this.address;
    this.loaded ??= load(this.address);
    return { ...(await this.loaded), bucket, key: `${prefix}${name}` };
  }
}

async function load({ region, endpoint }: BucketAddress): Promise<{ sdk: typeof vendor; client: S3Client }> {
  const sdk = await import('./vendor.js');
  const client = new sdk.S3Client({
    // Stores other than AWS have no region, and the signature needs one.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: 'us-east-1' }),
    ...(region !== undefined && { region }),
    maxAttempts: MOST_TRIES,
    // Not every store knows the checksums that the SDK adds. The manifest has the SHA-256 of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
  return { sdk, client };
}
