import { z } from 'zod';

/** The regions of the interface. */
export const regions = ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'] as const;
export type Region = (typeof regions)[number];

/** A region in a request or response. */
export const region = z.enum(regions);

/** A region in a request. Left out, null and an empty string mean the default. */
export function regionInput<Default extends Region | null>(fallback: Default) {
  return z
    .enum([...regions, ''])
    .nullish()
    .transform((given): Region | Default => (given == null || given === '' ? fallback : given));
}
