/** States of a delivery that explain why its sequence is missing in the export. */
export type OpenState = 'in_flight' | 'pending' | 'rejected' | 'expired';

/** A delivery in a response of the API. */
export interface DeliveryRecord {
  readonly event_id: string;
  readonly state: OpenState | 'delivered';
  readonly sequence: number | null;
  readonly finished_at: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Status of a destination. */
export interface DestinationStatus {
  readonly status: string;
  /** Kind of its target: `log_group`. */
  readonly target_kind: string;
  readonly last_sequence: number;
  /** Every epoch with its first sequence, oldest first. */
  readonly epochs: readonly EpochStart[];
}

/** An epoch and the sequence that it begins with. */
export interface EpochStart {
  readonly epoch: number;
  readonly first_sequence: number;
}

/** What Waybill reports of a destination. */
export interface DestinationRecords {
  status(): Promise<DestinationStatus>;
  /** Yields the deliveries in a state, newest first. */
  deliveries(state: DeliveryRecord['state']): AsyncIterable<DeliveryRecord>;
}
