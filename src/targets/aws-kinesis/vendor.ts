// What is used of the vendor's package. The build replaces this file by a bundle (docs/decisions/composition.md).
export { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
