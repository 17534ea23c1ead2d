import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { assertBounded } from '../../bounds/unbounded-fields.js';
import { invalidInput } from '../../problems/problem.js';
import { inputErrors, sentenceOf, type InputSource } from '../problems/input-errors.js';

/**
 * Parses each parameter of a handler that has a schema: of `@Body({ schema })` or `@QueryParameters(schema)`. Differs
 * from Nest's StandardSchemaValidationPipe in its errors: each issue becomes a pointer and a detail.
 * @throws Problem `invalid_input` with every error
 */
@Injectable()
export class SchemaPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { schema } = metadata;
    if (schema === undefined) return value;
    if (!(schema instanceof z.ZodType)) throw new TypeError('The schema of a parameter is not a zod schema.');
    return parseInput(schema, value, metadata.type === 'query' ? 'query' : 'body');
  }
}

/**
 * Parses input with a zod schema.
 * @throws Problem `invalid_input` with every error
 */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, source: InputSource): T {
  assertBounded(schema);
  const result = schema.safeParse(value, { error: sentenceOf });
  if (result.success) return result.data;
  throw invalidInput(inputErrors(result.error.issues, source));
}
