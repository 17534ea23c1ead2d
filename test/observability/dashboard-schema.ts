import { z } from 'zod';

const datasource = z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${datasource}') });

const target = z.strictObject({
  refId: z.string().regex(/^[A-Z]$/),
  datasource,
  editorMode: z.literal('code'),
  expr: z.string().min(1),
  legendFormat: z.string(),
  instant: z.literal(true).optional(),
  range: z.boolean(),
  format: z.literal('table').optional(),
});

const placed = {
  id: z.int().positive(),
  title: z.string().min(1),
  gridPos: z.strictObject({
    x: z.int().min(0).max(23),
    y: z.int().min(0),
    w: z.int().min(1).max(24),
    h: z.int().min(1),
  }),
};

const threshold = z.strictObject({ color: z.enum(['green', 'orange', 'red']), value: z.number().nullable() });

const row = z.strictObject({
  ...placed,
  type: z.literal('row'),
  collapsed: z.literal(false),
  panels: z.tuple([]),
});

const chart = z.strictObject({
  ...placed,
  type: z.enum(['stat', 'timeseries', 'table']),
  description: z.string().optional(),
  datasource,
  targets: z.array(target).min(1),
  options: z.record(z.string(), z.unknown()).optional(),
  fieldConfig: z.strictObject({
    defaults: z.strictObject({
      unit: z.enum(['short', 's', 'ops', 'reqps', 'bytes', 'percentunit', 'bool_yes_no']).optional(),
      min: z.number().optional(),
      color: z.strictObject({ mode: z.literal('thresholds') }).optional(),
      thresholds: z
        .strictObject({
          mode: z.literal('absolute'),
          steps: z.tuple([threshold.extend({ value: z.null() })], threshold),
        })
        .optional(),
      custom: z.record(z.string(), z.unknown()).optional(),
    }),
    overrides: z.tuple([]),
  }),
});

/**
 * The part of Grafana's schema of a dashboard that the dashboard of this repository uses. Grafana ignores a member with
 * a wrong name without a message, so no others are allowed.
 */
export const dashboardSchema = z.strictObject({
  uid: z.string().regex(/^[\w-]{1,40}$/),
  title: z.string().min(1),
  description: z.string(),
  tags: z.array(z.string()),
  schemaVersion: z.int().min(36),
  version: z.int(),
  editable: z.boolean(),
  graphTooltip: z.literal([0, 1, 2]),
  timezone: z.string(),
  refresh: z.string().regex(/^\d+[smh]$/),
  time: z.strictObject({ from: z.string().startsWith('now'), to: z.string().startsWith('now') }),
  templating: z.strictObject({
    list: z.array(
      z.looseObject({
        name: z.string(),
        type: z.enum(['datasource', 'query']),
        query: z.union([z.string(), z.strictObject({ query: z.string(), refId: z.string() })]),
      }),
    ),
  }),
  annotations: z.strictObject({ list: z.tuple([]) }),
  links: z.tuple([]),
  panels: z.array(z.discriminatedUnion('type', [row, chart])).min(1),
});
