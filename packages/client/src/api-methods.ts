import type { operations, OperationTypes } from './generated/operations.js';
import type { PublishEventsResponse, PublishedEventInput } from './generated/types.js';
import type { List } from './list.js';
import type { RequestOptions } from './transport.js';

/** The table of operations, by namespace and method. */
type Table = typeof operations;

/** Id of an operation in the OpenAPI document, for example `createIpPolicy`. */
export type OperationId = keyof OperationTypes;

/** What an operation returns. */
export type Output<Id extends OperationId> = OperationTypes[Id]['output'];

/** Path parameters, query and body of an operation. */
export type Input<Id extends OperationId> = Omit<OperationTypes[Id]['input'], 'url'>;

/** An operation of the table: its HTTP method, and the path with parameters in braces. */
export interface Operation {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  readonly takes?: 'body' | 'query';
  readonly items?: string;
}

/** The arguments of the path parameters, by name. */
interface PathArguments {
  id: [id: string];
  type: [type: string];
  edge_id: [edgeId: string];
  subscription_id: [subscriptionId: string];
}

type PathOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [...(Name extends keyof PathArguments ? PathArguments[Name] : [parameter: string]), ...PathOf<Rest>]
  : [];

type BodyOf<Data> = Data extends { body?: never }
  ? []
  : Data extends { body: infer Body }
    ? [body: Body]
    : Data extends { body?: infer Body }
      ? [body?: Body]
      : never;

type QueryOf<Data> = Data extends { query?: never }
  ? []
  : Data extends { query?: infer Query }
    ? [query?: Query]
    : never;

/** The arguments of a method: path parameters in order, then the body or the query, then the options. */
type Arguments<One extends Operation> = [
  ...PathOf<One['path']>,
  ...BodyOf<OperationTypes[One['id']]['input']>,
  ...QueryOf<OperationTypes[One['id']]['input']>,
  options?: RequestOptions,
];

type Items<Page, Name extends string> = Page extends Record<Name, readonly (infer Item)[]> ? Item : never;

type Result<One extends Operation> = One extends { items: infer Name extends string }
  ? List<Items<Output<One['id']>, Name>, Output<One['id']>>
  : Promise<Output<One['id']>>;

/** Methods whose arguments differ from those of their operation. */
interface SpecialMethods {
  /** Publishes 1 to 500 events: all of them, or none. Returns one result for each event, in order. */
  publishEvents(
    events: readonly PublishedEventInput[],
    options?: RequestOptions,
  ): Promise<PublishEventsResponse['events']>;
}

type Method<One extends Operation> = One['id'] extends keyof SpecialMethods
  ? SpecialMethods[One['id']]
  : (...args: Arguments<One>) => Result<One>;

/** Every operation as a method: `ipPolicies.create(…)`. */
export type ApiMethods = {
  readonly [Namespace in keyof Table]: {
    readonly [Name in keyof Table[Namespace]]: Table[Namespace][Name] extends Operation
      ? Method<Table[Namespace][Name]>
      : never;
  };
};
