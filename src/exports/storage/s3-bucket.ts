import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ByteRange } from '../../http/response/byte-range.js';
import type { ExportStorage, Upload } from './export-storage.js';
import { isMissing, s3Error } from './s3-errors.js';
import { S3Upload, type S3Target } from './s3-upload.js';
import type * as vendor from './vendor.js';

/** Timeout of opening a connection, in milliseconds. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** Timeout of a pause in a call, in milliseconds. A download pauses while its client takes nothing. */
const SILENCE_TIMEOUT_MS = 60_000;
/** Timeout of a call until its response begins, in milliseconds: the upload of a part is one call. */
const REQUEST_TIMEOUT_MS = 300_000;
/** Tries of each call: an error then fails the export. */
const MOST_TRIES = 4;
/** Longest that a download waits for the size of its file, in milliseconds, with all tries. */
const SIZE_TIMEOUT_MS = 30_000;

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

/** What a bucket does differently in tests. */
export interface BucketLimits {
  /** Size of a part of an upload, in bytes; absent: the usual one. */
  readonly partBytes?: number;
  /** Timeout of a pause in a call, in milliseconds; absent: a minute. */
  readonly silenceMs?: number;
}

/** Files of exports in an S3-compatible bucket. The client is loaded with the first file. */
export class S3Bucket implements ExportStorage {
  readonly name: string;
  private loaded: Promise<Pick<S3Target, 'sdk' | 'client'>> | undefined;

  constructor(
    private readonly address: BucketAddress,
    private readonly limits: BucketLimits = {},
  ) {
    this.name = `s3://${address.bucket}/${address.prefix}`;
  }

  async begin(name: string, signal: AbortSignal): Promise<Upload> {
    return new S3Upload(await this.target(name), signal, this.limits.partBytes);
  }

  async sizeOf(name: string): Promise<number | null> {
    const { sdk, client, bucket, key } = await this.target(name);
    try {
      const head = new sdk.HeadObjectCommand({ Bucket: bucket, Key: key });
      const { ContentLength } = await client.send(head, { abortSignal: AbortSignal.timeout(SIZE_TIMEOUT_MS) });
      return ContentLength ?? null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw s3Error(error);
    }
  }

  async *read(name: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const { sdk, client, bucket, key } = await this.target(name);
    const part = range && { Range: `bytes=${range.first}-${range.last}` };
    const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, ...part }));
    if (!(Body instanceof Readable)) throw new Error('The object has no content.');
    const content: AsyncIterable<Uint8Array> = Body;
    yield* content;
  }

  async remove(names: readonly string[], signal: AbortSignal): Promise<void> {
    const options = { abortSignal: signal };
    for (const name of names) {
      signal.throwIfAborted();
      const { sdk, client, bucket, key } = await this.target(name);
      try {
        const list = new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key });
        const { Uploads = [] } = await client.send(list, options);
        for (const { Key, UploadId } of Uploads) {
          if (Key !== key) continue;
          await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), options);
        }
        await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), options);
      } catch (error) {
        throw s3Error(error, signal);
      }
    }
  }

  private async target(name: string): Promise<S3Target> {
    const { bucket, prefix } = this.address;
    this.loaded ??= load(this.address, this.limits.silenceMs ?? SILENCE_TIMEOUT_MS);
    return { ...(await this.loaded), bucket, key: `${prefix}${name}` };
  }
}

async function load(
  { region, endpoint }: BucketAddress,
  silenceMs: number,
): Promise<{ sdk: typeof vendor; client: S3Client }> {
  const sdk = await import('./vendor.js');
  const client = new sdk.S3Client({
    // Stores other than AWS have no region, and the signature needs one.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: 'us-east-1' }),
    ...(region !== undefined && { region }),
    maxAttempts: MOST_TRIES,
    // Not every store knows the checksums that the SDK adds. The manifest has the SHA-256 of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without this a request timeout is only a warning.
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
    },
  });
  return { sdk, client };
}
