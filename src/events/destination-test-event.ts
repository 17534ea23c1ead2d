/** The event that a test of a destination sends: to that destination alone, subscribed or not. */
export const destinationTestEvent = {
  type: 'event_destination_test.v0',
  description:
    'Sent to an event destination when somebody tests it. No subscription can name it as a source.',
} as const;
