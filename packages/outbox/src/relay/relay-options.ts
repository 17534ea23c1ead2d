import type { Pool } from 'pg';
import { publishingLimits } from '../generated/publishing-limits.js';
import { silentLogger, type RelayLogger } from './relay-logger.js';

/** Options of `startRelay`. */
export interface RelayOptions {
  /** Pool of the database with the outbox. The relay takes up to three connections of it, one of them for LISTEN. */
  readonly pool: Pool;
  /** Address of Waybill, such as `https://waybill.example.com`. */
  readonly url: string;
  /** API key; the role `publisher` is enough. */
  readonly key: string;
  /** Most events of a request: 1 to 500. Default: 500. */
  readonly batchSize?: number;
  /** Longest time between two looks at the outbox. NOTIFY usually wakes the relay earlier. Default: 1,000 ms. */
  readonly pollIntervalMs?: number;
  /** Whether later events of a resource wait for its rejected event. Default: `hold`. */
  readonly afterRejection?: 'hold' | 'continue';
  /** Whether an event that does not say who made the change is rejected, and not sent. Default: false. */
  readonly requirePrincipal?: boolean;
  /** Default: no log. */
  readonly logger?: RelayLogger;
  /** Longest time of a request to Waybill. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number;
  /** Time after which another relay takes over from one that has died. Default: 15,000 ms. */
  readonly leaseMs?: number;
}

/** Checked options of a relay, with the defaults. */
export interface RelaySettings extends Required<Omit<RelayOptions, 'url'>> {
  /** Address to which events are published. */
  readonly endpoint: URL;
}

const MOST_EVENTS = publishingLimits.mostEvents;
/** Longest interval of a timer of Node, in milliseconds. */
const LONGEST_MS = 2_147_483_647;

/**
 * Checks the options of a relay.
 * @throws TypeError that names the option
 */
export function relaySettings(options: RelayOptions): RelaySettings {
  const { afterRejection = 'hold', key } = options;
  if (afterRejection !== 'hold' && afterRejection !== 'continue')
    throw new TypeError(`afterRejection must be 'hold' or 'continue', not ${String(afterRejection)}.`);
  // A header cannot hold anything else. The message must not show the key.
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('key must be an API key of Waybill: printable ASCII characters without spaces.');
  return {
    pool: options.pool,
    endpoint: endpointAt(options.url),
    key,
    batchSize: whole('batchSize', options.batchSize ?? MOST_EVENTS, 1, MOST_EVENTS),
    pollIntervalMs: whole('pollIntervalMs', options.pollIntervalMs ?? 1_000, 10, LONGEST_MS),
    afterRejection,
    requirePrincipal: options.requirePrincipal ?? false,
    logger: options.logger ?? silentLogger,
    requestTimeoutMs: whole('requestTimeoutMs', options.requestTimeoutMs ?? 30_000, 10, LONGEST_MS),
    leaseMs: whole('leaseMs', options.leaseMs ?? 15_000, 100, LONGEST_MS),
  };
}

/** Returns the address of `POST /events`, below the path of `url` if it has one. */
function endpointAt(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : null;
  if (!base || !/^https?:$/.test(base.protocol))
    throw new TypeError('url must be the http or https address of Waybill, such as https://waybill.example.com.');
  if (base.username !== '' || base.password !== '')
    throw new TypeError('url must not contain a user name or a password.');
  if (base.search !== '' || base.hash !== '') throw new TypeError('url must not have a query or a fragment.');
  base.pathname = `${base.pathname.replace(/\/+$/, '')}/events`;
  return base;
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}, not ${String(value)}.`);
}
