/** Bytes of an event's payload in the benches, without its number. */
export const PAYLOAD_BYTES = 1_000;
