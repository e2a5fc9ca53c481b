import { jest } from '@jest/globals';

/**
 * Moves the clock that `Date` shows, until `jest.useRealTimers`, and lets time itself run on, so that the network
 * works.
 */
export function passSeconds(seconds: number): void {
  const timers = [
    ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
    ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ];
  jest.useFakeTimers({ now: Date.now() + seconds * 1000, doNotFake: timers });
}
