import type { EventDestinationStatus } from '@waybill/client';
import type { DestinationSearch } from './search.js';

/** Properties of the tabs of a destination. */
export interface TabProps {
  readonly id: string;
  readonly status: EventDestinationStatus | undefined;
  readonly search: DestinationSearch;
  readonly onChange: (change: Partial<DestinationSearch>) => void;
}
