import type { EventDestinationStatus } from '@waybill/client';
import { deliveryStates, type DeliveryFilters } from '../../api/deliveries.js';
import { textParam } from '../../app/search-params.js';
import { chartRanges, type ChartRange } from './charts/chart-ranges.js';

/** Tabs of a destination. */
export const tabs = ['overview', 'deliveries', 'settings'] as const;
/** A tab of a destination. */
export type Tab = (typeof tabs)[number];

/** Parameters of a destination's page. */
export interface DestinationSearch extends DeliveryFilters {
  /** Default: overview. */
  readonly tab?: Tab | undefined;
  /** Time of the charts. Default: an hour. */
  readonly range?: ChartRange | undefined;
  /** The numbers that the ribbon shows: `101-200`. Default: the newest. */
  readonly numbers?: string | undefined;
  /** The number whose delivery is shown below the ribbon. */
  readonly number?: string | undefined;
  /** The delivery that is open: `dlv_1042`. */
  readonly delivery?: string | undefined;
  /** Whether the settings are open for a change. */
  readonly edit?: 'target' | undefined;
}

/** Reads the parameters of a destination's page. What is not one of them is ignored. */
export function readSearch(search: Record<string, unknown>): DestinationSearch {
  return {
    tab: oneOf(search.tab, tabs),
    range: oneOf(search.range, chartRanges),
    numbers: textParam(search.numbers),
    number: numberParam(search.number),
    delivery: textParam(search.delivery),
    edit: oneOf(search.edit, ['target']),
    state: oneOf(search.state, deliveryStates),
    type: textParam(search.type),
    object_id: textParam(search.object_id),
    operation_id: textParam(search.operation_id),
    principal_id: textParam(search.principal_id),
    from: timeParam(search.from),
    to: timeParam(search.to),
    sequence_from: numberParam(search.sequence_from),
    sequence_to: numberParam(search.sequence_to),
  };
}

/** Names of the filters of deliveries. */
const filterNames = [
  'state',
  'type',
  'object_id',
  'operation_id',
  'principal_id',
  'from',
  'to',
  'sequence_from',
  'sequence_to',
] as const satisfies readonly (keyof DeliveryFilters)[];

/** Returns the filters of the deliveries alone. */
export function filtersOf(search: DestinationSearch): DeliveryFilters {
  return Object.fromEntries(filterNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));
}

/** Returns filters that remove every filter. */
export function noFilters(): DeliveryFilters {
  return Object.fromEntries(filterNames.map((name) => [name, undefined]));
}

function oneOf<Value extends string>(value: unknown, allowed: readonly Value[]): Value | undefined {
  return allowed.find((one) => one === value);
}

/** Returns a parameter that is a whole number from 1 on. */
function numberParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? text : undefined;
}

/** Returns a parameter that is a time. */
function timeParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** Properties of the tabs of a destination. */
export interface TabProps {
  readonly id: string;
  readonly status: EventDestinationStatus | undefined;
  readonly search: DestinationSearch;
  /** @param push whether Back leads to what the address was before */
  readonly onChange: (change: Partial<DestinationSearch>, options?: { readonly push: boolean }) => void;
}
