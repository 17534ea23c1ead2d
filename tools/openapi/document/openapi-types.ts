import type { OpenAPIObject } from '@nestjs/swagger';

// Parts of an OpenAPI document. @nestjs/swagger does not export these types by name.
type Components = NonNullable<OpenAPIObject['components']>;
export type Schemas = NonNullable<Components['schemas']>;
export type PathItem = OpenAPIObject['paths'][string];
export type OperationObject = NonNullable<PathItem['get']>;
export type ParameterObject = Extract<NonNullable<OperationObject['parameters']>[number], { name: string }>;
export type ReferenceObject = Extract<NonNullable<OperationObject['parameters']>[number], { $ref: string }>;
export type ResponseObject = Exclude<NonNullable<Components['responses']>[string], ReferenceObject>;
export type HeaderObject = Exclude<NonNullable<Components['headers']>[string], ReferenceObject>;
