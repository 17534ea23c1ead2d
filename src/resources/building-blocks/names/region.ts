import { z } from 'zod';

/** The regions of the interface. */
export const regions = ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'] as const;
export type Region = (typeof regions)[number];

/** A region, for request and answer. */
export const region = z.enum(regions);
