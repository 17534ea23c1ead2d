// What is used of the vendor's packages. The build replaces this file by a bundle (docs/decisions/composition.md).
export { createRestError, getClient } from '@azure-rest/core-client';
export { ClientSecretCredential } from '@azure/identity';
export { LogsIngestionClient } from '@azure/monitor-ingestion';
