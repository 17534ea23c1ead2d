import { randomUUID } from 'node:crypto';
import { startLoopback, type LoopbackRequest, type LoopbackResponse } from './loopback-server.js';

/** A call to the stub, such as `PUT part`. */
export type S3Call =
  | 'PUT object'
  | 'POST create'
  | 'PUT part'
  | 'POST complete'
  | 'DELETE upload'
  | 'DELETE object'
  | 'GET object'
  | 'HEAD object'
  | 'GET uploads';

/** A small S3: objects, and uploads in parts. It checks no signatures. */
export interface S3Stub {
  readonly endpoint: string;
  /** Content of the objects, by bucket and key. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Sizes of the parts of unfinished uploads, by the id of the upload. */
  readonly uploads: ReadonlyMap<string, { readonly path: string; readonly parts: ReadonlyMap<number, Buffer> }>;
  readonly calls: readonly S3Call[];
  /** Refuses a kind of call with a status and a code; null ends that. */
  refuse(call: S3Call | null, status?: number, code?: string): void;
  /** Sends no response to this kind of call; null ends that. */
  silence(call: S3Call | null): void;
  close(): Promise<void>;
}

/** Starts an S3 on a free port. */
export async function startS3Stub(): Promise<S3Stub> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, { path: string; parts: Map<number, Buffer> }>();
  const calls: S3Call[] = [];
  let silent: S3Call | null = null;
  let refused: { call: S3Call; status: number; code: string } | null = null;

  function respond(request: LoopbackRequest): LoopbackResponse {
    const { pathname: path, searchParams: query } = new URL(request.path, 'http://s3');
    const call = callOf(request.method, query);
    calls.push(call);
    if (call === silent) return 'never';
    if (refused?.call === call)
      return responseOf(refused.status, `<Error><Code>${refused.code}</Code><Message>refused</Message></Error>`);
    const id = query.get('uploadId') ?? '';
    switch (call) {
      case 'PUT object':
        objects.set(path, request.bytes);
        return responseOf(200, '', { etag: '"object"' });
      case 'POST create': {
        const uploadId = randomUUID();
        uploads.set(uploadId, { path, parts: new Map() });
        return responseOf(
          200,
          `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      case 'PUT part':
        uploads.get(id)?.parts.set(Number(query.get('partNumber')), request.bytes);
        return responseOf(200, '', { etag: `"part ${query.get('partNumber')}"` });
      case 'POST complete': {
        const named = [...request.body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) =>
          Number(number),
        );
        const { parts } = uploads.get(id) ?? { parts: new Map<number, Buffer>() };
        objects.set(path, Buffer.concat(named.map((number) => parts.get(number) ?? Buffer.from('missing'))));
        uploads.delete(id);
        return responseOf(200, '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
      }
      case 'DELETE upload':
        uploads.delete(id);
        return responseOf(204);
      case 'DELETE object':
        objects.delete(path);
        return responseOf(204);
      case 'GET uploads': {
        const prefix = `${path.replace(/\/$/, '')}/${query.get('prefix') ?? ''}`;
        const found = [...uploads].filter(([, upload]) => upload.path.startsWith(prefix));
        const bucket = path.replaceAll('/', '');
        const items = found.map(
          ([uploadId, upload]) =>
            `<Upload><Key>${upload.path.slice(bucket.length + 2)}</Key><UploadId>${uploadId}</UploadId></Upload>`,
        );
        return responseOf(200, `<ListMultipartUploadsResult>${items.join('')}</ListMultipartUploadsResult>`);
      }
      case 'GET object':
      case 'HEAD object': {
        const object = objects.get(path);
        if (!object) return responseOf(404, '<Error><Code>NoSuchKey</Code></Error>');
        const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
        const part = first === undefined ? object : object.subarray(Number(first), Number(last) + 1);
        return responseOf(first === undefined ? 200 : 206, part, { 'content-length': String(part.length) });
      }
    }
  }

  const server = await startLoopback(respond);
  return {
    endpoint: server.url,
    objects,
    uploads,
    calls,
    refuse: (call, status = 403, code = 'AccessDenied') => {
      refused = call === null ? null : { call, status, code };
    },
    silence: (call) => {
      silent = call;
    },
    close: () => server.close(),
  };
}

function responseOf(
  status: number,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): LoopbackResponse {
  return { status, headers, body };
}

function callOf(method: string, query: URLSearchParams): S3Call {
  if (method === 'POST') return query.has('uploads') ? 'POST create' : 'POST complete';
  if (method === 'PUT') return query.has('partNumber') ? 'PUT part' : 'PUT object';
  if (method === 'DELETE') return query.has('uploadId') ? 'DELETE upload' : 'DELETE object';
  if (method === 'HEAD') return 'HEAD object';
  return query.has('uploads') ? 'GET uploads' : 'GET object';
}
