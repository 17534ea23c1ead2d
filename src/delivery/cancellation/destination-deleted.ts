/** The error of a delivery that was cancelled, because its destination was deleted. */
export const destinationDeleted = {
  code: 'destination_deleted',
  message: 'The destination was deleted before the delivery was finished.',
} as const;
