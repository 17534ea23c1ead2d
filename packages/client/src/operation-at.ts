import type { operations } from './generated/operations.js';

type Table = typeof operations;

/** Every operation of the table. */
type AnyOperation = { [Namespace in keyof Table]: Table[Namespace][keyof Table[Namespace]] }[keyof Table];

/** Paths of the operations with this method, with parameters in braces. */
export type PathsOf<Method extends string> = Extract<AnyOperation, { readonly method: Method }>['path'];

/** Id of the operation with this method and path: of `GET` and `/ip_policies/{id}`, `getIpPolicy`. */
export type OperationAt<Method extends string, Path extends string> = Extract<
  AnyOperation,
  { readonly method: Method; readonly path: Path }
>['id'];
