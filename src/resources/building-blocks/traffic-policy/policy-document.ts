import { z } from 'zod';
import { inputErrors, sentenceOf } from '../../../http/input-errors.js';
import type { InputError } from '../../../problems/problem.js';
import { actionConfigs } from './action-configs.js';

/** A phase of traffic in which the rules of a policy are applied. */
export type Phase = 'on_tcp_connect' | 'on_http_request' | 'on_http_response';

/** The phases of HTTP traffic. */
export const httpPhases: readonly Phase[] = ['on_http_request', 'on_http_response'];
/** The phases of TCP traffic. */
export const tcpPhases: readonly Phase[] = ['on_tcp_connect'];

/**
 * Most nested objects and lists in a document. Rules and actions use 6, the configuration of actions the rest.
 */
export const DEEPEST_POLICY = 20;

const action = z
  .strictObject({
    type: z
      .string()
      .max(100)
      .regex(/^[a-z0-9]+([._-][a-z0-9]+)*$/, { error: 'must be an action type such as custom-response' }),
    config: z.record(z.string(), z.unknown()).optional(),
  })
  .superRefine(({ type, config = {} }, context) => {
    const result = actionConfigs.get(type)?.safeParse(config, { error: sentenceOf });
    for (const issue of result?.error?.issues ?? []) context.addIssue({ ...issue, path: ['config', ...issue.path] });
  });

const rule = z.strictObject({
  name: z.string().min(1).max(255),
  expressions: z.array(z.string().min(1)).optional(),
  actions: z.array(action).min(1),
});

const documents = new Map<string, z.ZodType>();

/** The schema of documents with these phases, cached. */
function documentOf(phases: readonly Phase[]): z.ZodType {
  const known = documents.get(phases.join());
  if (known) return known;
  const rules = phases.map((phase) => [phase, z.array(rule).optional()] as const);
  const document = z.strictObject(Object.fromEntries(rules));
  documents.set(phases.join(), document);
  return document;
}

/**
 * Checks a policy document.
 * @param text the document: JSON
 * @returns at most 50 errors, each with an RFC 6901 pointer into the document, empty for the document as a whole
 */
export function policyErrors(text: string, phases: readonly Phase[]): readonly InputError[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return [{ pointer: '', detail: `is not JSON: ${error instanceof Error ? error.message : 'unreadable'}` }];
  }
  if (isDeeperThan(document, DEEPEST_POLICY))
    return [{ pointer: '', detail: `must not have more than ${DEEPEST_POLICY} levels` }];
  const result = documentOf(phases).safeParse(document, { error: sentenceOf });
  return inputErrors(result.error?.issues ?? [], 'body');
}

/** Descends level by level up to the limit, so that no document exhausts the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter((item): item is object => typeof item === 'object' && item !== null);
    if (depth === levels && containers.length > 0) return true;
    level = containers.flatMap((container): unknown[] => Object.values(container));
  }
  return false;
}
