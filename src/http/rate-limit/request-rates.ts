import type { Caller } from '../../accounts/authenticator.js';
import type { Config } from '../../config/config.js';
import type { RateLimit } from './token-bucket.js';

/** The settings of the rates of authenticated requests. */
export type RateSettings = Pick<
  Config,
  | 'RATE_LIMIT_PER_MINUTE'
  | 'RATE_LIMIT_PER_MINUTE_PRINCIPAL'
  | 'RATE_LIMIT_PER_MINUTE_ACCOUNT'
  | 'RATE_LIMIT_PER_MINUTE_EVENTS'
>;

/** Requests per minute, by what is counted. A rate of 0 is not among them: it is no limit. */
export type RequestRates = readonly {
  readonly name: Exclude<RateLimit['name'], 'events'>;
  readonly perMinute: number;
}[];

/** Default rate of a principal: so many times the rate of one of its API keys. */
export const PRINCIPAL_FACTOR = 2;
/** Default rate of an account: so many times the rate of one of its API keys. */
export const ACCOUNT_FACTOR = 10;

/** Default budget of published events of an account: so many times the rate of requests of one API key. */
export const EVENTS_FACTOR = 500;

/** Returns how many events an account may publish per minute; 0: no limit. */
export function eventRate(config: RateSettings): number {
  return config.RATE_LIMIT_PER_MINUTE_EVENTS ?? config.RATE_LIMIT_PER_MINUTE * EVENTS_FACTOR;
}

/** Returns the rates that the settings allow; empty when nothing is limited. */
export function requestRates(config: RateSettings): RequestRates {
  const perKey = config.RATE_LIMIT_PER_MINUTE;
  const perPrincipal = config.RATE_LIMIT_PER_MINUTE_PRINCIPAL ?? perKey * PRINCIPAL_FACTOR;
  const perAccount = config.RATE_LIMIT_PER_MINUTE_ACCOUNT ?? perKey * ACCOUNT_FACTOR;
  const rates: RequestRates = [
    { name: 'api-key', perMinute: perKey },
    { name: 'principal', perMinute: perPrincipal },
    { name: 'account', perMinute: perAccount },
  ];
  return rates.filter(({ perMinute }) => perMinute > 0);
}

/** Returns the limits that a request of this caller counts against. */
export function limitsOf(rates: RequestRates, { credential, principal, accountId }: Caller): readonly RateLimit[] {
  const keys = { 'api-key': credential.id, principal: principal.id, account: accountId };
  return rates.map((rate) => ({ ...rate, key: keys[rate.name] }));
}
