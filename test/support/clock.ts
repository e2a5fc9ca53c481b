import { jest } from '@jest/globals';
import type { TestGateway } from './test-gateway.js';

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

/** Moves the clock here and in the process of the gateway, until `realTimeWith`. */
export async function passSecondsWith(gateway: TestGateway, seconds: number): Promise<void> {
  passSeconds(seconds);
  await gateway.passSeconds(seconds);
}

export async function realTimeWith(gateway: TestGateway): Promise<void> {
  jest.useRealTimers();
  await gateway.realTime();
}
