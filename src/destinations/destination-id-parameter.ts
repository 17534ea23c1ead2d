import { z } from 'zod';
import { boundedString } from '../bounds/bounded.js';
import { repeatableParameter } from '../http/input/repeatable-parameter.js';

const idText = boundedString(255).check(z.minLength(1, 'must not be empty'));

/** Returns the query parameter that limits a list to some destinations, at most `most`. */
export function destinationIdParameter(most: number, description: string) {
  return repeatableParameter(idText, most, { description });
}
