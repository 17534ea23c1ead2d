import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { metrics as relayMetrics } from '../../packages/outbox/src/relay/metrics.js';
import type { Store } from '../../src/database/store.js';
import { laneStates } from '../../src/delivery/lanes/lane-state.js';
import { createInstruments } from '../../src/observability/instruments.js';
import type { Service } from '../../src/service.js';
import { parseCompose } from '../checks/compose-file.js';
import { createTestStore } from '../support/database.js';
import { startTestService } from '../support/test-service.js';
import { dashboardSchema } from './dashboard-schema.js';
import { namesOf } from './expression.js';

const TOKEN = 'a-token-for-the-metrics-0123456789';

const rulesFile = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({ alert: z.string(), expr: z.string(), annotations: z.object({ summary: z.string().min(1) }) }),
      ),
    }),
  ),
});
const rules = rulesFile.parse(parse(await readFile('docs/alerts.yml', 'utf8'))).groups.flatMap((group) => group.rules);

const json: unknown = JSON.parse(await readFile('docs/grafana-dashboard.json', 'utf8'));
const dashboard = dashboardSchema.parse(json);
const charts = dashboard.panels.flatMap((panel) => (panel.type === 'row' ? [] : [panel]));

/** Each expression, with the labels that the text beside it shows. */
const expressions = [
  ...rules.map(({ alert, expr, annotations: { summary } }) => ({
    where: `alert ${alert}`,
    expr,
    shown: Array.from(summary.matchAll(/\$labels\.(\w+)/g), ([, label = '']) => label),
  })),
  ...charts.flatMap(({ title, targets }) =>
    targets.map(({ refId, expr, legendFormat }) => ({
      where: `panel "${title}" ${refId}`,
      expr,
      shown: Array.from(legendFormat.matchAll(/\{\{(\w+)\}\}/g), ([, label = '']) => label),
    })),
  ),
];

/** Metrics that Prometheus makes itself, with their labels. */
const ofPrometheus = { up: [], ALERTS: ['alertname', 'alertstate', 'severity'] };
/** Labels that Prometheus gives to every metric. */
const ofEveryMetric = ['job', 'instance'];

let store: Store;
let service: Service;
/** Labels of the metrics in the output of /metrics, by the names of their samples. */
const exported = new Map<string, readonly string[]>(Object.entries(ofPrometheus));

beforeAll(async () => {
  store = await createTestStore();
  for (const { name, labels } of relayMetrics) exported.set(name, labels);
  service = await startTestService(store.connectionString, { METRICS_TOKEN: TOKEN });
  const response = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  if (response.status !== 200) throw new Error(`GET /metrics responds with ${response.status}.`);
  // A metric with labels has no sample before its first value, so its labels come from its declaration.
  const declared = new Map(
    createInstruments()
      .registry.getMetricsAsArray()
      .map((metric) => [metric.name, z.object({ labelNames: z.array(z.string()) }).parse(metric).labelNames]),
  );
  for (const [, name = '', type] of (await response.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const labels = declared.get(name) ?? [];
    if (type !== 'histogram') exported.set(name, labels);
    else {
      for (const suffix of ['sum', 'count']) exported.set(`${name}_${suffix}`, labels);
      exported.set(`${name}_bucket`, [...labels, 'le']);
    }
  }
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

/** What is wrong with the names of an expression, and with the labels that are shown of its results. */
function faultsOf(expr: string, shown: readonly string[]): readonly string[] {
  const { metrics, groupedBy } = namesOf(expr);
  const known = metrics.flatMap(({ name }) => exported.get(name) ?? []);
  const all = new Set([...known, ...ofEveryMetric]);
  const isGrouped = groupedBy !== null || /^(sum|min|max)\(/.test(expr);
  const results = isGrouped ? (groupedBy ?? []) : [...all];
  return [
    ...(metrics.length === 0 ? ['names no metric'] : []),
    ...metrics.filter(({ name }) => !exported.has(name)).map(({ name }) => `no metric ${name}`),
    ...metrics.flatMap(({ name, labels }) => {
      const own = [...(exported.get(name) ?? []), ...ofEveryMetric];
      return labels.filter((label) => !own.includes(label)).map((label) => `no label ${label} of ${name}`);
    }),
    ...(groupedBy ?? []).filter((label) => !all.has(label)).map((label) => `no label ${label} to group by`),
    ...shown.filter((label) => !results.includes(label)).map((label) => `no label ${label} to show`),
  ];
}

describe('the alert rules and the dashboard', () => {
  it('have expressions', () => {
    expect(rules.length).toBeGreaterThan(5);
    expect(charts.length).toBeGreaterThan(10);
  });

  it.each(expressions)('name metrics and labels of the output of /metrics: $where', ({ expr, shown }) => {
    expect(faultsOf(expr, shown)).toEqual([]);
  });

  it.each([
    ['sum(waybill_nothing)', [], ['no metric waybill_nothing']],
    ['waybill_lanes{kind="a"}', [], ['no label kind of waybill_lanes']],
    ['sum by (route) (waybill_lanes{target="a"})', [], ['no label route to group by']],
    ['sum by (target) (waybill_lanes)', ['status'], ['no label status to show']],
    ['sum(waybill_lanes)', ['target'], ['no label target to show']],
    ['rate(waybill_delivery_latency_seconds[5m])', [], ['no metric waybill_delivery_latency_seconds']],
    ['1 > 0', [], ['names no metric']],
  ])('would be found wrong with %s', (expr, shown, faults) => {
    expect(faultsOf(expr, shown)).toEqual(faults);
  });

  it.each(['sum(waybill_lanes', 'waybill_lanes}', 'summ(waybill_lanes)', 'waybill_lanes ; 1', 'rate(up[5x])'])(
    'would be refused with %s',
    (expr) => {
      expect(() => namesOf(expr)).toThrow(expr);
    },
  );
});

describe('a paused destination', () => {
  it('raises no alert about events that wait, nor about a destination that fails, until it is forgotten', () => {
    const forgotten = rules.filter(({ expr }) => expr.includes('status="paused"'));
    const week = 7 * 86_400;
    expect(forgotten.map(({ expr }) => expr)).toEqual([
      `max by (target) (waybill_oldest_pending_seconds{status="paused"}) > ${week}`,
    ]);
    const aboutLanes = rules.filter(
      (rule) =>
        !forgotten.includes(rule) && /waybill_(lanes|pending_deliveries|oldest_pending_seconds)\b/.test(rule.expr),
    );
    expect(aboutLanes.length).toBeGreaterThan(2);
    for (const { expr } of aboutLanes) expect(expr).toMatch(/\{status="(healthy|retrying|misconfigured)"/);
  });
});

describe('a muted destination', () => {
  it('raises no alert about its failures', () => {
    const aboutFailures = rules.filter(({ expr }) => /status="(retrying|misconfigured)"/.test(expr));
    expect(aboutFailures).toHaveLength(2);
    for (const { expr } of aboutFailures) expect(expr).toContain('muted="false"');
  });
});

describe('the dashboard', () => {
  it('has panels with different ids that do not overlap', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
    for (const { targets } of charts) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  });

  it('uses every variable that it defines, and no other', () => {
    const defined = dashboard.templating.list.map(({ name }) => name);
    const used = Array.from(JSON.stringify(json).matchAll(/\$\{?(?!__)([a-z]\w*)/g), ([, name = '']) => name);
    expect([...new Set(used)].toSorted()).toEqual(defined.toSorted());
    const queries = dashboard.templating.list.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query]));
    for (const query of queries) {
      const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
      expect(exported.get(metric)).toContain(label);
    }
  });

  it('has a panel of alerts, and shows every status of a destination', () => {
    const all = charts.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
    expect(all).toContain('ALERTS{alertstate="firing"}');
    for (const status of laneStates) expect(all).toContain(`status="${status}"`);
  });
});

describe('the compose profile monitoring', async () => {
  const { services, volumes } = parseCompose(await readFile('docker-compose.yml', 'utf8'));
  const prometheus = services['prometheus'];
  const grafana = services['grafana'];
  const config = z
    .object({
      rule_files: z.array(z.string()),
      global: z.object({ scrape_interval: z.string(), evaluation_interval: z.string() }),
      scrape_configs: z.array(
        z.object({
          job_name: z.string(),
          authorization: z.object({ credentials_file: z.string() }).optional(),
          dns_sd_configs: z.array(z.object({ names: z.array(z.string()), type: z.literal('A'), port: z.number() })),
        }),
      ),
    })
    .parse(parse(await readFile('docker/monitoring/prometheus.yml', 'utf8')));

  it('has images with exact versions, and publishes Grafana alone, on loopback', () => {
    expect(prometheus?.image).toMatch(/^prom\/prometheus:v3\.\d+\.\d+$/);
    expect(grafana?.image).toMatch(/^grafana\/grafana:12\.\d+\.\d+$/);
    expect(prometheus?.ports).toEqual([]);
    expect(grafana?.ports).toEqual(['${PUBLISH_GRAFANA:-127.0.0.1:4730}:3000']);
  });

  const ofService = config.scrape_configs.filter(({ job_name: name }) => name !== 'waybill-outbox');

  it('scrapes the relay on the port of its command', () => {
    const [relay, ...more] = config.scrape_configs.filter((job) => !ofService.includes(job));
    expect(more).toEqual([]);
    expect(relay?.dns_sd_configs).toEqual([{ names: ['relay'], type: 'A', port: 4702 }]);
    expect(services['relay']?.command).toContain('4702');
    expect(services['relay']?.networks).toEqual(expect.arrayContaining(prometheus?.networks ?? ['none']));
  });

  it('scrapes every process of the service with the token that /metrics demands, and loads the alert rules', () => {
    const scraped = ofService.flatMap(({ dns_sd_configs: found }) => found);
    const processes = Object.keys(services).filter((name) => 'ROLES' in (services[name]?.environment ?? {}));
    expect(scraped.flatMap(({ names }) => names).toSorted()).toEqual(processes.toSorted());
    expect(new Set(scraped.map(({ port }) => port))).toEqual(new Set([4700]));
    expect(prometheus?.environment).toEqual({ METRICS_TOKEN: null });
    const script = (prometheus?.entrypoint ?? []).join('\n');
    for (const { authorization } of ofService) expect(script).toContain(`> ${authorization?.credentials_file}`);
    expect(script).toContain('$${METRICS_TOKEN:?');
    const joined = new Set(processes.flatMap((name) => services[name]?.networks ?? []));
    expect(prometheus?.networks.every((network) => joined.has(network))).toBe(true);
    expect(config.rule_files.map((path) => `./docs/alerts.yml:${path}:ro`)).toEqual(
      prometheus?.volumes.filter((volume) => volume.startsWith('./docs/')),
    );
    // As the alert WaybillWorkerStalled needs it.
    expect(config.global.scrape_interval).toBe('15s');
  });

  it('has jobs with the names that the alert rules and the dashboard select', () => {
    const jobs = config.scrape_configs.map(({ job_name: name }) => name);
    const selected = expressions.flatMap(({ expr }) =>
      Array.from(expr.matchAll(/job(=~?)"([^"]*)"/g), ([, sign, value = '']) =>
        sign === '=' ? [value] : jobs.filter((name) => new RegExp(`^(?:${value})$`).test(name)),
      ),
    );
    expect(selected.length).toBeGreaterThan(2);
    for (const names of selected) expect(jobs).toEqual(expect.arrayContaining(names));
    expect(selected.filter((names) => names.length === 0)).toEqual([]);
  });

  it('provisions Grafana with the dashboard and its data source, and mounts files that exist', async () => {
    for (const { volumes: mounted } of [prometheus, grafana].flatMap((one) => one ?? [])) {
      for (const mount of mounted) {
        const [source = ''] = mount.split(':');
        if (source.startsWith('./')) expect((await readFile(source, 'utf8')).length).toBeGreaterThan(0);
        else expect(Object.keys(volumes)).toContain(source);
      }
    }
    const sources = z
      .object({ datasources: z.tuple([z.looseObject({ uid: z.string(), type: z.string(), url: z.string() })]) })
      .parse(parse(await readFile('docker/monitoring/grafana-datasources.yml', 'utf8')));
    const [variable] = dashboard.templating.list;
    expect(variable).toMatchObject({ type: 'datasource', current: { value: sources.datasources[0].uid } });
    expect(sources.datasources[0]).toMatchObject({ type: 'prometheus', url: 'http://prometheus:9090' });
    const { providers } = z
      .object({ providers: z.tuple([z.looseObject({ options: z.object({ path: z.string() }) })]) })
      .parse(parse(await readFile('docker/monitoring/grafana-dashboards.yml', 'utf8')));
    const mountedAt = `${providers[0].options.path}/waybill.json`;
    expect(grafana?.volumes).toContain(`./docs/grafana-dashboard.json:${mountedAt}:ro`);
    expect(grafana?.environment['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH']).toBe(mountedAt);
  });

  it('starts no Grafana with a password that everyone knows', () => {
    expect(grafana?.environment['GF_SECURITY_ADMIN_PASSWORD']).toBeNull();
    expect((grafana?.entrypoint ?? []).join('\n')).toContain('$${GF_SECURITY_ADMIN_PASSWORD:?');
  });
});
