import { Backfills } from './backfills.js';
import { Charts } from './charts.js';
import { Ribbon } from './ribbon.js';
import type { TabProps } from './tab-props.js';

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
