import type { DestinationLogs } from '@waybill/reconcile';
import { ProblemError } from '../../api/problem.js';
import { open } from '../../api/request.js';
import { patiently } from './patiently.js';

/** Reads the signed logs of a destination. */
export class LogReader implements DestinationLogs {
  /** @param destination its id */
  constructor(private readonly destination: string) {}

  /** @throws ProblemError, ConnectionError */
  async notes(epoch: number, file: 'checkpoint' | 'erasures'): Promise<string | null> {
    try {
      return await (await this.file(epoch, file)).text();
    } catch (error) {
      if (error instanceof ProblemError && error.status === 404) return null;
      throw error;
    }
  }

  /** @throws ProblemError, ConnectionError */
  async tile(epoch: number, path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.file(epoch, path)).arrayBuffer());
  }

  private file(epoch: number, path: string): Promise<Response> {
    return patiently(() => open('GET', `/event_destinations/${this.destination}/log/${epoch}/${path}`, {}, '*/*'));
  }
}
