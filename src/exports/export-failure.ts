/** Why an export has no file, other than an error of the storage. The message is for the client. */
export class ExportFailure extends Error {
  override readonly name = 'ExportFailure';

  constructor(
    readonly code: 'nothing_to_export' | 'destination_deleted',
    message: string,
  ) {
    super(message);
  }
}
