/** Thrown for an event that Waybill would refuse. Nothing was recorded. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';

  /**
   * @param index position of the event in the list, from 0
   * @param pointer JSON pointer into the event
   */
  constructor(
    readonly index: number,
    readonly pointer: string,
    readonly detail: string,
  ) {
    super(`Event ${index} was not recorded: ${pointer} ${detail}.`);
  }
}
