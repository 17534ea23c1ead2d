/**
 * Loaded into a service process with `--import`. Each SIGUSR2 moves the wall clock by CLOCK_STEP_MS, as NTP does.
 * Timers and `performance.now()` use the monotonic clock and do not move.
 */
const RealDate = Date;
const stepMs = Number(process.env['CLOCK_STEP_MS'] ?? 0);
let shiftMs = 0;

const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [], newTarget: typeof Date) =>
    args.length > 0 ? new target(...args) : Reflect.construct(target, [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, member, receiver) => (member === 'now' ? now : Reflect.get(target, member, receiver)),
});

process.on('SIGUSR2', () => {
  shiftMs += stepMs;
});
