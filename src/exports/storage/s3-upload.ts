import type { S3Client } from '@aws-sdk/client-s3';
import { StorageError, type Upload } from './export-storage.js';
import { s3Error } from './s3-errors.js';
import type * as vendor from './vendor.js';

/**
 * Size of a part in bytes. S3 takes 5 MiB to 5 GiB:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
const PART_BYTES = 16 * 1_048_576;
/** Most parts of a file, by the same page: files of up to 156 GiB. */
const MOST_PARTS = 10_000;

/** Longest that the end of an upload takes which was cancelled, in milliseconds: a worker that stops waits for it. */
const ABORT_TIMEOUT_MS = 10_000;

/** The client with what it needs for a file. */
export interface S3Target {
  readonly sdk: typeof vendor;
  readonly client: S3Client;
  readonly bucket: string;
  readonly key: string;
}

/**
 * A file in a bucket. Up to a part, it is one object; from there on, an upload in parts. One part is in memory, and an
 * object appears when the upload is complete.
 */
export class S3Upload implements Upload {
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private uploadId: string | undefined;
  private readonly parts: { PartNumber: number; ETag: string | undefined }[] = [];

  constructor(
    private readonly target: S3Target,
    private readonly signal: AbortSignal,
    private readonly partBytes: number = PART_BYTES,
  ) {}

  async write(chunk: Uint8Array): Promise<void> {
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    if (this.waitingBytes >= this.partBytes) await this.guarded(() => this.sendPart());
  }

  async finish(): Promise<void> {
    await this.guarded(async () => {
      const { sdk, client, bucket, key } = this.target;
      const object = { Bucket: bucket, Key: key };
      const options = { abortSignal: this.signal };
      if (this.uploadId === undefined) {
        await client.send(new sdk.PutObjectCommand({ ...object, Body: this.take() }), options);
        return;
      }
      if (this.waitingBytes > 0) await this.sendPart();
      const upload = { UploadId: this.uploadId, MultipartUpload: { Parts: this.parts } };
      await client.send(new sdk.CompleteMultipartUploadCommand({ ...object, ...upload }), options);
    });
  }

  async abort(): Promise<void> {
    if (this.uploadId === undefined) return;
    const { sdk, client, bucket, key } = this.target;
    const command = new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: this.uploadId });
    // What is left, the cleanup of exports removes.
    await client.send(command, { abortSignal: AbortSignal.timeout(ABORT_TIMEOUT_MS) }).catch(() => undefined);
  }

  private async sendPart(): Promise<void> {
    const { sdk, client, bucket, key } = this.target;
    const object = { Bucket: bucket, Key: key };
    const options = { abortSignal: this.signal };
    if (this.parts.length === MOST_PARTS)
      throw new StorageError('storage_full', `The file is larger than ${MOST_PARTS} parts of ${this.partBytes} bytes.`);
    this.uploadId ??= await this.begin();
    const PartNumber = this.parts.length + 1;
    const part = new sdk.UploadPartCommand({ ...object, UploadId: this.uploadId, PartNumber, Body: this.take() });
    const { ETag } = await client.send(part, options);
    this.parts.push({ PartNumber, ETag });
  }

  private async begin(): Promise<string> {
    const { sdk, client, bucket, key } = this.target;
    const command = new sdk.CreateMultipartUploadCommand({ Bucket: bucket, Key: key });
    const { UploadId } = await client.send(command, { abortSignal: this.signal });
    if (UploadId === undefined) throw new StorageError('storage_unavailable', 'The bucket has begun no upload.');
    return UploadId;
  }

  private take(): Uint8Array {
    const all = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    return all;
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw error instanceof StorageError ? error : s3Error(error, this.signal);
    }
  }
}
