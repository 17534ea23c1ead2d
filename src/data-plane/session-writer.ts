import type { Transaction } from '../database/database.js';
import type { RequestContext } from '../http/request/request-context.js';
import { newId } from '../ids/id.js';
import { withPointers } from '../problems/problem.js';
import { prepareEndpoint } from '../resources/building-blocks/served-urls/prepare-endpoint.js';
import { LabelMatches } from '../resources/building-blocks/tunnels/label-matches.js';
import { endpoint } from '../resources/families/endpoints/endpoint.js';
import { tunnelSession } from '../resources/families/tunnel-sessions/tunnel-session.js';
import { tunnel } from '../resources/families/tunnels/tunnel.js';
import type { Attributes, ResourceRow } from '../resources/framework/definition/definition.js';
import { ResourceStore } from '../resources/framework/store/resource-store.js';
import { ResourceWriter } from '../resources/framework/writer/resource-writer.js';
import type { WriterServices } from '../resources/framework/writer/writer-services.js';
import type { SessionReport, TunnelReport } from './session-report.js';

/** One transaction that changes a session. */
export interface SessionChange {
  readonly trx: Transaction;
  readonly context: RequestContext;
  /** Ids of the destinations that get events of the change. */
  readonly destinationIds: string[];
}

/** A tunnel of a report, with its index in the report. */
interface IndexedTunnel {
  readonly report: TunnelReport;
  readonly index: number;
}

/** Writes reported sessions with their tunnels and endpoints, each change with its event. */
export class SessionWriter {
  private readonly sessions: ResourceWriter;
  private readonly tunnels: ResourceWriter;
  private readonly endpoints: ResourceWriter;

  constructor(services: WriterServices) {
    this.sessions = new ResourceWriter(tunnelSession, services);
    this.tunnels = new ResourceWriter(tunnel, services, new LabelMatches('backends'));
    this.endpoints = new ResourceWriter(endpoint, services, { prepare: prepareEndpoint });
  }

  /** Creates a session, under the lease with its id. */
  async create(change: SessionChange, id: string, report: SessionReport): Promise<void> {
    const { trx, context, destinationIds } = change;
    const writer = this.sessions.withOwner({ leaseId: id });
    destinationIds.push(...(await writer.create(trx, context, sessionAttributes(report), id)).destinationIds);
    for (const reported of sortedByUrl(report.tunnels)) await this.addTunnel(change, id, report, reported);
  }

  /** Updates a session to its report. Writes only what differs. */
  async update(change: SessionChange, id: string, report: SessionReport): Promise<void> {
    const { trx, context, destinationIds } = change;
    const written = await this.sessions.update(trx, context, id, () => sessionAttributes(report));
    destinationIds.push(...written.destinationIds);
    const existing = new Map<string, ResourceRow>();
    for (const row of await new ResourceStore(trx).children(id, tunnel.name))
      existing.set(tunnelKey(row.attributes), row);
    const reported = sortedByUrl(report.tunnels);
    const kept = new Set(reported.map((one) => tunnelKey(one.report)));
    // Before tunnels are added: a URL may move from one tunnel to another.
    for (const [key, row] of existing) if (!kept.has(key)) await this.removeTunnel(change, row.id);
    for (const one of reported) {
      const row = existing.get(tunnelKey(one.report));
      if (row) await this.changeTunnel(change, row, report, one);
      else await this.addTunnel(change, id, report, one);
    }
  }

  /** Deletes a session with everything under it. */
  async remove(change: SessionChange, id: string): Promise<void> {
    const { trx, context, destinationIds } = change;
    for (const row of await new ResourceStore(trx).children(id, tunnel.name)) await this.removeTunnel(change, row.id);
    destinationIds.push(...(await this.sessions.remove(trx, context, id)));
  }

  private async addTunnel(
    { trx, context, destinationIds }: SessionChange,
    sessionId: string,
    session: SessionReport,
    { report, index }: IndexedTunnel,
  ): Promise<void> {
    const id = newId(tunnel.prefix);
    const endpointId = report.public_url === undefined ? null : newId(endpoint.prefix);
    const attributes = { ...tunnelAttributes(session, report), endpoint_id: endpointId };
    await withTunnelPointer(index, async () => {
      const tunnels = this.tunnels.withOwner({ parentId: sessionId, leaseId: sessionId });
      destinationIds.push(...(await tunnels.create(trx, context, attributes, id)).destinationIds);
      if (endpointId === null) return;
      const endpoints = this.endpoints.withOwner({ parentId: id, leaseId: sessionId });
      const endpointRow = { ...endpointAttributes(session, report), tunnel_session_id: sessionId };
      destinationIds.push(...(await endpoints.create(trx, context, endpointRow, endpointId)).destinationIds);
    });
  }

  private async changeTunnel(
    { trx, context, destinationIds }: SessionChange,
    row: ResourceRow,
    session: SessionReport,
    { report, index }: IndexedTunnel,
  ): Promise<void> {
    await withTunnelPointer(index, async () => {
      const changed = await this.tunnels.update(trx, context, row.id, () => tunnelAttributes(session, report));
      destinationIds.push(...changed.destinationIds);
      const { endpoint_id: endpointId } = row.attributes;
      if (typeof endpointId !== 'string') return;
      const attributes = endpointAttributes(session, report);
      destinationIds.push(...(await this.endpoints.update(trx, context, endpointId, () => attributes)).destinationIds);
    });
  }

  private async removeTunnel({ trx, context, destinationIds }: SessionChange, id: string): Promise<void> {
    for (const row of await new ResourceStore(trx).children(id, endpoint.name)) {
      destinationIds.push(...(await this.endpoints.remove(trx, context, row.id)));
    }
    destinationIds.push(...(await this.tunnels.remove(trx, context, id)));
  }
}

/** Sorts by URL: a common lock order prevents deadlocks between reports. */
function sortedByUrl(reports: readonly TunnelReport[]): readonly IndexedTunnel[] {
  const urlOf = ({ report }: IndexedTunnel): string => report.public_url ?? '';
  return reports.map((report, index) => ({ report, index })).toSorted((a, b) => (urlOf(a) < urlOf(b) ? -1 : 1));
}

/** The identity of a tunnel across reports. A tunnel with another URL is another tunnel. */
function tunnelKey(of: Attributes | TunnelReport): string {
  return JSON.stringify([of.name, of.public_url ?? null]);
}

function sessionAttributes(report: SessionReport): Attributes {
  const { principal_id, region, agent_version, ip, os, transport, metadata } = report;
  return { principal_id, region, agent_version, ip, os, transport, metadata };
}

function tunnelAttributes({ region }: SessionReport, report: TunnelReport): Attributes {
  const { name, forwards_to, metadata, labels = {}, public_url = null } = report;
  return { name, forwards_to, metadata, labels, public_url, region };
}

function endpointAttributes({ region, principal_id }: SessionReport, report: TunnelReport): Attributes {
  return {
    type: 'ephemeral',
    name: report.name,
    url: report.public_url,
    region,
    principal_id,
    description: report.description ?? null,
    metadata: report.metadata,
    traffic_policy: report.traffic_policy ?? null,
    bindings: report.bindings ?? null,
    pooling_enabled: report.pooling_enabled ?? false,
    upstream_url: report.forwards_to,
    upstream_protocol: report.upstream_protocol ?? null,
  };
}

/** Writes one tunnel. Pointers of input errors become pointers into the report. */
async function withTunnelPointer(index: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw withPointers(error, (pointer) => `/tunnels/${index}${pointer === '/url' ? '/public_url' : pointer}`);
  }
}
