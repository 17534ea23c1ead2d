import type { EventDestinationStatus } from '@waybill/client';
import { Backfills } from './backfills.js';
import { Charts } from './charts.js';
import { Ribbon } from './ribbon.js';
import type { DestinationSearch } from './search.js';

/** Properties of the tabs of a destination. */
export interface TabProps {
  readonly id: string;
  readonly status: EventDestinationStatus | undefined;
  readonly search: DestinationSearch;
  readonly onChange: (change: Partial<DestinationSearch>) => void;
}

/** What a destination received: over time, and number by number. */
export function OverviewTab({ id, status, search, onChange }: TabProps) {
  return (
    <>
      <Charts id={id} range={search.range ?? '1h'} onRange={(range) => onChange({ range })} />
      {status && <Ribbon id={id} status={status} search={search} onChange={onChange} />}
      <Backfills id={id} />
    </>
  );
}
