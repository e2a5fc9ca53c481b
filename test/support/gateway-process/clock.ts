const RealDate = Date;

/** Moves the clock that `Date` shows on by so many seconds, and lets timers be. 0 shows the time again. */
export function passSeconds(seconds: number): void {
  const now = (): number => RealDate.now() + seconds * 1000;
  const Moved = class Date extends RealDate {
    constructor(...given: [] | [number]) {
      super(...(given.length === 0 ? ([now()] as const) : given));
    }

    static override now = now;
  };
  globalThis.Date = seconds === 0 ? RealDate : (Moved as DateConstructor);
}
