// What is used of the vendor's packages. The build replaces this file by a bundle (docs/decisions/composition.md).
export { fromNodeProviderChain, fromTemporaryCredentials } from '@aws-sdk/credential-providers';
export { NodeHttpHandler } from '@smithy/node-http-handler';
