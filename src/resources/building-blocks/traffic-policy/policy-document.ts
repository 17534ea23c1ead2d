import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { echoed } from '../../../bounds/storable.js';
import { inputErrors, MAX_ERRORS, pointerTo, sentenceOf } from '../../../http/problems/input-errors.js';
import type { InputError } from '../../../problems/problem.js';
import { actionConfigs } from './action-configs.js';
import { duplicateMembers } from './duplicate-members.js';
import { unfitValues } from './unfit-values.js';
import { readYaml, type YamlDocument } from './yaml-document.js';

/** Traffic that a policy is applied to. */
export type Traffic = 'HTTP' | 'TCP' | 'TLS';

/** The phases in which the rules of a policy are applied, with the traffic that has the phase. */
const phases = {
  on_tcp_connect: ['TCP', 'TLS'],
  on_http_request: ['HTTP'],
  on_http_response: ['HTTP'],
} as const satisfies Readonly<Record<string, readonly Traffic[]>>;

/** Returns the phases that this traffic has. */
export function phasesOf(traffic: Traffic): readonly string[] {
  return Object.entries<readonly Traffic[]>(phases).flatMap(([phase, having]) =>
    having.includes(traffic) ? [phase] : [],
  );
}

/**
 * Most nested objects and lists in a document. Rules and actions use 6, the configuration of actions the rest.
 */
export const DEEPEST_POLICY = 20;

const action = z
  .strictObject({
    type: boundedString(100).regex(/^[a-z0-9]+([._-][a-z0-9]+)*$/, {
      error: 'must be an action type such as custom-response',
    }),
    config: z.record(z.string(), z.unknown()).optional(),
  })
  .superRefine(({ type, config = {} }, context) => {
    const result = actionConfigs.get(type)?.safeParse(config, { error: sentenceOf });
    for (const issue of result?.error?.issues ?? []) context.addIssue({ ...issue, path: ['config', ...issue.path] });
  });

const rule = z.strictObject({
  name: boundedString(255).min(1).optional(),
  expressions: z.array(z.string().min(1)).optional(),
  actions: z.array(action).min(1),
});

const rules = z.array(rule).optional();
const document = z.looseObject({
  on_tcp_connect: rules,
  on_http_request: rules,
  on_http_response: rules,
} satisfies Record<keyof typeof phases, unknown>);

/**
 * Checks a policy document.
 * @param text the document: JSON or YAML
 * @returns at most 50 errors, each with an RFC 6901 pointer into the document, empty for the document as a whole
 */
export function policyErrors(text: string, traffic: Traffic): readonly InputError[] {
  const read = readDocument(text);
  if ('errors' in read) return read.errors;
  const result = document.safeParse(read.value, { error: sentenceOf });
  const errors = inputErrors(result.error?.issues ?? [], 'body');
  return [...phaseErrors(read.value, traffic), ...errors].slice(0, MAX_ERRORS);
}

/** An error for each member of a document that is no phase of this traffic. */
function phaseErrors(value: unknown, traffic: Traffic): readonly InputError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const having = new Map<string, readonly Traffic[]>(Object.entries(phases));
  return Object.keys(value).flatMap((name) => {
    const suited = having.get(name);
    if (suited?.includes(traffic)) return [];
    const detail = suited
      ? `is a phase of ${suited.join(' and ')} traffic. The phases of ${traffic} traffic are: ${phasesOf(traffic).join(', ')}`
      : `is not a phase. The phases are: ${[...having.keys()].join(', ')}`;
    return [{ pointer: pointerTo([name], 'body'), detail }];
  });
}

/** Reads JSON or YAML. */
function readDocument(text: string): YamlDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const yaml = readYaml(text, DEEPEST_POLICY);
    // A document that begins as JSON was meant as JSON: its syntax error is the one to correct.
    if (!/^\s*[{[]/.test(text) || 'value' in yaml || !(error instanceof Error)) return yaml;
    return { errors: [{ pointer: '', detail: `is not JSON: ${echoed(error.message)}` }] };
  }
  if (isDeeperThan(value, DEEPEST_POLICY))
    return { errors: [{ pointer: '', detail: `must not have more than ${DEEPEST_POLICY} levels` }] };
  const errors = [...duplicateMembers(text), ...unfitValues(value)];
  return errors.length > 0 ? { errors: errors.slice(0, MAX_ERRORS) } : { value };
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
