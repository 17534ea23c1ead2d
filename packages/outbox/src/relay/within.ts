/**
 * Waits for a promise, but no longer than a time.
 * @param what begins the message, such as "The database did not respond"
 * @throws Error after the time
 */
export async function within<Result>(ms: number, what: string, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${ms / 1_000} s.`)), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
