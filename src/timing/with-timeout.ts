/**
 * Returns what the promise resolves to; undefined when it takes longer than `ms` milliseconds. A later rejection is
 * ignored.
 * @throws what the promise rejects with in that time
 */
export async function withTimeout<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
