/**
 * What a promise gives; undefined when it takes longer than `ms` milliseconds. What comes after that is dropped, a failure too.
 * @throws as the promise does, in that time
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
