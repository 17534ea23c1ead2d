/**
 * Loaded into a process of the service with `--import`: each SIGUSR2 moves its wall clock by CLOCK_STEP_MS, as an administrator or NTP
 * does. Timers and `performance.now()` go by the monotonic clock and are not moved, here as there.
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
