import { queryOptions } from '@tanstack/react-query';
import type { Output } from '@waybill/client';
import { request } from './request.js';

type Plain = string | number | boolean;

/** A JSON Schema, as far as a form uses it. */
export interface FormSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  /** 1: the object is a choice of one of its members. */
  readonly maxProperties?: number;
  readonly enum?: readonly Plain[];
  readonly default?: Plain;
  readonly examples?: readonly Plain[];
  readonly pattern?: string;
  readonly maxLength?: number;
  /** Whether the API stores the value and never returns it. */
  readonly writeOnly?: boolean;
}

type Listed = Output<'listTargetKinds'>['target_kinds'][number];

/** A kind of target, with what a form needs. The page knows no kind by its name. */
export interface TargetKind extends Pick<Listed, 'title' | 'credentials' | 'permissions'> {
  /** The member of a destination's `target`. */
  readonly kind: string;
  /** Schema of that member in a new destination. */
  readonly schema: FormSchema;
}

/** Every kind of target, in the order in which they are offered. */
export const targetKindsQuery = queryOptions({
  queryKey: ['target-kinds'],
  queryFn: async ({ signal }): Promise<readonly TargetKind[]> =>
    (await request('GET', '/target_kinds', { signal })).target_kinds,
  staleTime: Infinity,
});
