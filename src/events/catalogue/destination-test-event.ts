/** The event of a destination test. It is delivered to that destination only, subscribed or not. */
export const destinationTestEvent = {
  type: 'event_destination_test.v0',
  description: 'Sent to an event destination when it is tested. It cannot be a source of a subscription.',
} as const;
