/** What is to run, in order. */
const waiting: (() => void)[] = [];

/** Runs functions in the order of the calls, each in its own turn of the event loop: others are served in between. */
export function oneEachTurn(act: () => void): void {
  if (waiting.push(act) === 1) setImmediate(runOne);
}

function runOne(): void {
  const act = waiting.shift();
  if (waiting.length > 0) setImmediate(runOne);
  act?.();
}
