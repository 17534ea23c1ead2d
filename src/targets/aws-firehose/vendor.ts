// What is used of the vendor's package. The build replaces this file by a bundle (docs/decisions/client-loading.md).
export { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
