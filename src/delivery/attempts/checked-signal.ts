/**
 * Makes the signal of a call compare the clock each time it is asked whether it has aborted. After a pause of the
 * process a timer is too late: Node first handles what has arrived, such as a response after which the next call
 * begins. The targets, and the vendors' clients, ask right before they open a request.
 * @param call aborted when `expired` returns true
 */
export function checkBeforeEachCall(call: AbortController, expired: () => boolean): void {
  const { signal } = call;
  const abortIfExpired = (): void => {
    if (!isAborted(signal) && expired()) call.abort();
  };
  Object.defineProperties(signal, {
    aborted: {
      configurable: true,
      get: () => {
        abortIfExpired();
        return isAborted(signal);
      },
    },
    throwIfAborted: {
      configurable: true,
      value: () => {
        abortIfExpired();
        AbortSignal.prototype.throwIfAborted.call(signal);
      },
    },
  });
}

/** The signal's state, as its class keeps it. */
function isAborted(signal: AbortSignal): boolean {
  return Reflect.get(AbortSignal.prototype, 'aborted', signal);
}
