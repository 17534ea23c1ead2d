import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { invalidInput } from '../problems/problem.js';
import { inputErrors, sentenceOf, type InputSource } from './input-errors.js';

/**
 * Checks every `@Body({ schema })`, `@Query({ schema })` and `@Param(name, { schema })` and gives the handler what the schema
 * made of it. Does what Nest's StandardSchemaValidationPipe does, in our words: each issue becomes a pointer and a sentence.
 * @throws Problem `invalid` with every error at once.
 */
@Injectable()
export class SchemaPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { schema } = metadata;
    if (schema === undefined) return value;
    if (!(schema instanceof z.ZodType)) throw new TypeError('Schemas of parameters are zod schemas.');
    return parseInput(schema, value, sourceOf(metadata));
  }
}

function sourceOf(metadata: ArgumentMetadata): InputSource {
  if (metadata.type === 'query') return 'query';
  return metadata.type === 'param' ? { parameter: metadata.data ?? '' } : 'body';
}

/**
 * Parses input with a zod schema, for what does not come through a parameter decorator.
 * @throws Problem `invalid` with every error at once.
 */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, source: InputSource): T {
  const result = schema.safeParse(value, { error: sentenceOf });
  if (result.success) return result.data;
  throw invalidInput(inputErrors(result.error.issues, source));
}
