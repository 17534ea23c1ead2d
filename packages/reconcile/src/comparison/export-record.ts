/** An export of Waybill in a response of the API. */
export interface ExportRecord {
  readonly id: string;
  readonly state: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';
  readonly progress: { readonly events: number; readonly reached_at: string | null };
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly manifest: {
    readonly count: number;
    readonly complete_since: string | null;
    readonly file: { readonly bytes: number; readonly sha256: string };
  } | null;
}

/** The exports of a destination: each line is what was delivered, and the state of its delivery. */
export interface DestinationExports {
  /** Creates an export of all that the destination has been sent, as NDJSON. */
  create(): Promise<ExportRecord>;
  get(id: string): Promise<ExportRecord>;
  cancel(id: string): Promise<unknown>;
  /** Returns the bytes of the file while they arrive. */
  download(id: string): Promise<ReadableStream<Uint8Array>>;
}
