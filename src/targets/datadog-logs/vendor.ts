// What is used of the vendor's package. The build replaces this file by a bundle (docs/decisions/composition.md).
export {
  ApiKeyAuthAuthentication,
  BaseServerConfiguration,
  Configuration,
  ResponseContext,
} from '@datadog/datadog-api-client/dist/packages/datadog-api-client-common/index.js';
export { LogsApi } from '@datadog/datadog-api-client/dist/packages/datadog-api-client-v2/apis/LogsApi.js';
