import type { EventDestinationStatus } from '@waybill/client';
import type { DestinationSearch } from './search.js';

/** Properties of the tabs of a destination. */
export interface TabProps {
  readonly id: string;
  readonly status: EventDestinationStatus | undefined;
  readonly search: DestinationSearch;
  /** @param push whether Back leads to what the address was before */
  readonly onChange: (change: Partial<DestinationSearch>, options?: { readonly push: boolean }) => void;
}
