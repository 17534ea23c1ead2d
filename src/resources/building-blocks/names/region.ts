import { z } from 'zod';

/** The regions of the interface. */
export const regions = ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'] as const;
export type Region = (typeof regions)[number];

/** A region in a request or response. */
export const region = z.enum(regions);
