export { operations, type OperationTypes } from './generated/operations.js';
export type * from './generated/types.js';
