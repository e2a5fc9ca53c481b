import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Overload, Overloaded, type OpenRequest } from '../../../src/platform/overload/overload.js';
import type { Logger } from '../../../src/platform/logging/logger.js';

const log = { info: () => undefined, warn: () => undefined } as unknown as Logger;

let open: Set<FakeRequest>;
let overload: Overload;
let begun: string[];

interface FakeRequest extends OpenRequest {
  request: { complete: boolean };
  response: { headersSent: boolean };
  isWaiting: boolean;
}

let nowMs = performance.now();

beforeEach(() => {
  // Time passes when a test says so, and with it come the checks.
  jest.useFakeTimers({
    doNotFake: ['performance', 'setImmediate', 'setTimeout', 'nextTick', 'queueMicrotask', 'Date'],
  });
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  loopIs('occupied');
  // Presence is that of the process.
  pass(10_000);
  open = new Set();
  begun = [];
  overload = new Overload({ maxWaiting: 1000, maxDelayMs: 60_000, waiting: () => 0, log }, open);
});
afterEach(() => {
  overload.stop();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function loopIs(state: 'idle' | 'occupied'): void {
  const utilization = state === 'idle' ? 0.1 : 1;
  jest.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ idle: 0, active: 0, utilization });
}

function pass(ms: number): void {
  nowMs += ms;
  jest.advanceTimersByTime(ms);
}

/** A request that is admitted and waits for its turn; it notes when it begins. */
function send(client: string, name = client): FakeRequest & { readonly outcome: Promise<string> } {
  const request: FakeRequest = {
    startedMs: performance.now(),
    request: { complete: true },
    response: { headersSent: false },
    isWaiting: false,
    isInside: false,
    sharers: [],
    turn: null,
  };
  open.add(request);
  overload.admit(request);
  const [program = '', clientId = program] = client.split('/');
  overload.share(request, { program, clientId, subject: 's', customerId: null, scopes: new Set() });
  const outcome = overload.takeTurn(request).then(
    () => {
      begun.push(name);
      return 'begun';
    },
    (error: unknown) => {
      if (error instanceof Overloaded) return 'refused';
      throw error;
    },
  );
  return Object.assign(request, { outcome });
}

function end(request: FakeRequest): void {
  open.delete(request);
  overload.leave(request);
  request.isInside = false;
}

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const many = (count: number, client: string) => Array.from({ length: count }, (_, n) => send(client, `${client} ${n}`));

test('a client that is alone has all of its requests worked on at once', async () => {
  many(60, 'one');
  await settled();
  expect(begun).toHaveLength(60);
});

describe('beside another client', () => {
  beforeEach(async () => {
    const calm = send('calm');
    await calm.outcome;
    end(calm);
    await settled();
    begun = [];
  });

  test('a client with many requests has few of them worked on, and the request of another begins at once', async () => {
    many(60, 'many');
    await settled();
    expect(begun.length).toBeLessThan(10);
    const before = begun.length;
    send('calm');
    await settled();
    expect(begun.slice(before)).toEqual(['calm']);
  });

  test('each request that ends lets one begin, and programs take turns', async () => {
    const first = many(60, 'many').slice(0, 3);
    const others = many(10, 'others');
    await settled();
    begun = [];
    for (const request of [...first, ...others.slice(0, 1)]) {
      end(request);
      await settled();
    }
    // Others were at once given two places more than there are, which come back first.
    expect(begun).toEqual(['many 4', 'others 2']);
  });

  test('a client whose own requests end goes on, however many others have in work', async () => {
    const crowd = Array.from({ length: 20 }, (_, n) => send(`crowd-${n}`));
    const mine = many(3, 'mine');
    await settled();
    expect(begun).toHaveLength(crowd.length + 2);
    end(mine[0] as FakeRequest);
    await settled();
    expect(begun.at(-1)).toBe('mine 2');
  });

  test('a request whose client goes while it waits leaves the queue', async () => {
    const requests = many(60, 'many');
    await settled();
    const gone = requests[59] as (typeof requests)[number];
    end(gone);
    expect(await gone.outcome).toBe('refused');
    for (const request of requests.slice(0, 59)) end(request);
    await settled();
    expect(begun).not.toContain('many 59');
    many(2, 'many');
    await settled();
    expect(begun).toHaveLength(61);
  });

  test('what waits for its own client or for an event takes no turn of others', async () => {
    const slow = many(60, 'slow');
    await settled();
    // Each check sees that those in work are stalled, and lets others begin.
    for (const request of slow) request.request.complete = false;
    for (let check = 0; check < 60 && begun.length < 60; check += 1) {
      pass(50);
      await settled();
    }
    expect(begun).toHaveLength(60);
  });

  test('more is worked on at once while the event loop is idle', async () => {
    many(60, 'many');
    await settled();
    const before = begun.length;
    pass(50);
    await settled();
    expect(begun).toHaveLength(before);
    loopIs('idle');
    pass(50);
    await settled();
    expect(begun).toHaveLength(2 * before);
  });

  test('all that waits begins once the other client has been away for a while', async () => {
    many(60, 'many');
    await settled();
    expect(begun.length).toBeLessThan(10);
    pass(1050);
    await settled();
    expect(begun).toHaveLength(60);
  });

  test('a request that waited for too long is refused', async () => {
    const last = many(60, 'many').at(-1);
    for (let halves = 0; halves < 22; halves += 1) {
      pass(400);
      end(send('calm'));
      pass(100);
    }
    expect(await last?.outcome).toBe('refused');
  });
});
