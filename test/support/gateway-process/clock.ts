const RealDate = Date;

let aheadMs = 0;

/** Moves the clock that `Date` shows on by so many seconds, until `realTime`, and lets time itself run on. */
export function passSeconds(seconds: number): void {
  aheadMs += seconds * 1000;
  const now = (): number => RealDate.now() + aheadMs;
  globalThis.Date = class Date extends RealDate {
    constructor(...given: [] | [number]) {
      super(...(given.length === 0 ? ([now()] as const) : given));
    }

    static override now = now;
  } as DateConstructor;
}

export function realTime(): void {
  aheadMs = 0;
  globalThis.Date = RealDate;
}
