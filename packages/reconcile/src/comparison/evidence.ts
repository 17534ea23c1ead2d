import { oneLine } from '@waybill/verify/check';

/** A tested file. */
export interface TestedFile {
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** What a report needs as evidence: who compared which files with what, and when. */
export interface Evidence {
  /** Address of the Waybill that was asked. */
  readonly instance_url: string;
  readonly account_id: string;
  /** As the API shows it: secrets are null. */
  readonly destination: {
    readonly id: string;
    readonly description: string | null;
    readonly target: Readonly<Record<string, unknown>>;
  };
  /** Who asked: the owner of the API key, and the key. */
  readonly compared_by: {
    readonly principal_id: string;
    readonly principal_name: string;
    readonly credential_id: string;
  };
  /** RFC 3339. */
  readonly compared_at: string;
  /** Time of the export of the target, RFC 3339. */
  readonly exported_at: string;
  readonly files: readonly TestedFile[];
}

/** The caller, as `GET /session` shows it. */
export interface Caller {
  readonly account_id: string;
  readonly principal: { readonly id: string; readonly name: string };
  readonly credential_id: string;
}

/** Returns the first lines of a report. */
export function evidenceLines(evidence: Evidence): readonly string[] {
  const { destination, compared_by: by } = evidence;
  const kind = Object.entries(destination.target).find(([, value]) => typeof value === 'object' && value !== null)?.[0];
  const name = destination.description === null ? '' : `"${destination.description}", `;
  return [
    `Waybill: ${evidence.instance_url}, account ${evidence.account_id}`,
    `Destination: ${destination.id}, ${name}${kind ?? 'unknown target'}`,
    `Compared: ${evidence.compared_at}, by ${by.principal_name} (${by.principal_id}) with the key ${by.credential_id}`,
    ...evidence.files.map(({ name: file, bytes, sha256 }) => `File: ${file}, ${bytes} bytes, SHA-256 ${sha256}`),
    `Time of the export of the target: ${evidence.exported_at}`,
  ].map(oneLine);
}

/** Returns who compared, for the evidence. */
export function comparedBy({ principal, credential_id: credential }: Caller): Evidence['compared_by'] {
  return { principal_id: principal.id, principal_name: principal.name, credential_id: credential };
}
