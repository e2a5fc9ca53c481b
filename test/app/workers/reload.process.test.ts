import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { keyed, unique } from '../../support/gateway.js';
import { leastBeneficiary, type GivenAccount } from '../../support/given.js';
import { until } from '../../support/until.js';
import { Place, type WorkerGateway } from './served.js';

const TEST_MS = 600_000;

let place: Place;
let of: GivenAccount;
beforeAll(async () => {
  place = await Place.open();
  of = await place.onlooker.given.account();
});
afterAll(() => place.close());

const toEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).toReversed()) await end();
}, TEST_MS);

async function serve(changes?: Record<string, string>, flags?: readonly string[]): Promise<WorkerGateway> {
  const served = await place.serve(changes, flags);
  toEnd.push(() => served.stop());
  return served;
}

async function policyOf(served: WorkerGateway): Promise<string> {
  const { headers } = await served.ask('/nothing', { token: of.caller });
  return String(headers['ratelimit-policy']);
}

test(
  'what has changed in the file of settings is read again, without a restart, and wrong settings change nothing',
  async () => {
    const file = join(place.dataDir, 'settings.env');
    await writeFile(file, 'RATE_LIMIT_BURST=6000\nRATE_LIMIT_PER_SECOND=2000\nCARDS_PREFIX=plastic\n');
    // What the environment sets goes before the file.
    const served = await serve({ RATE_LIMIT_PER_SECOND: '1000' }, [`--env-file=${file}`]);
    expect(await policyOf(served)).toBe('"client";q=6000;w=6');
    const before = await place.pids();

    // It is seen without a signal.
    await writeFile(file, 'RATE_LIMIT_BURST=7000\nRATE_LIMIT_PER_SECOND=3000\n');
    const after = await served.replaced(before);
    expect([await policyOf(served), await policyOf(served)]).toEqual(['"client";q=7000;w=7', '"client";q=7000;w=7']);
    // What the file no longer sets is as it is without it.
    expect((await served.ask('/openapi.json')).text).not.toContain('/plastic/');

    await writeFile(file, 'RATE_LIMIT_BURST=hunter2\n');
    served.signal('SIGHUP');
    await served.line.printed(/the settings are wrong/);
    // One that dies is replaced with the settings of the others.
    process.kill(after[0] as number, 'SIGKILL');
    await until(async () => {
      const now = await place.pids();
      return now.length === 2 && !now.includes(after[0] as number);
    });
    expect([await policyOf(served), await policyOf(served)]).toEqual(['"client";q=7000;w=7', '"client";q=7000;w=7']);
    const { stdout } = await served.stop();
    expect(stdout).toContain('"problems":["RATE_LIMIT_BURST must be a whole number');
    expect(stdout).not.toContain('hunter2');
  },
  TEST_MS,
);

test(
  'what one process is told, the others know: the clock of the sandbox, and events that a request waits for',
  async () => {
    const served = await serve();
    const asked = { token: of.caller };
    const write = (path: string, body: object) =>
      served.ask(path, { ...asked, method: 'POST', body, headers: keyed(randomUUID()) });
    expect((await write('/simulate/clock', { forward: 'P40D' })).status).toBe(200);
    for (let n = 0; n < 4; n++) {
      const { body } = await served.ask('/simulate/clock', asked);
      expect(Date.parse(body.now as string)).toBeGreaterThan(Date.now() + 39 * 86_400_000);
    }

    const { cursor } = (await served.ask('/events?after=latest', asked)).body.page as { cursor: string };
    const path = `/events?after=${encodeURIComponent(cursor)}&wait=20`;
    const waiting = [served.ask(path, asked), served.ask(path, asked)];
    expect((await write(`/accounts/${of.account}/beneficiaries`, leastBeneficiary())).status).toBe(201);
    for (const { body } of await Promise.all(waiting)) {
      expect(body.events).toEqual([expect.objectContaining({ type: 'beneficiary.added' })]);
    }

    // A client has fifty places for requests that wait, at both together.
    const token = await place.onlooker.caller({ program: of.program, clientId: unique('client') });
    const last = (await served.ask('/events?after=latest', { token })).body.page as { cursor: string };
    const late = `/events?after=${encodeURIComponent(last.cursor)}&wait=2`;
    const answers = await Promise.all(Array.from({ length: 60 }, () => served.ask(late, { token })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 200)).toHaveLength(50);
    expect(statuses.filter(status => status === 503)).toHaveLength(10);
    expect((await served.ask(late, { token })).status).toBe(200);
  },
  TEST_MS,
);

test(
  'a stop right after a reload does not wait for the start of the process that was to replace another one',
  async () => {
    const served = await serve({ LOG_LEVEL: 'info' });
    served.signal('SIGHUP');
    await served.line.printed(/are replaced one by one/);
    const { stdout, status } = await served.stop();
    expect(status).toBe(0);
    const [, afterwards = ''] = stdout.split('"msg":"stopping"');
    expect(afterwards).not.toMatch(/replaced by a new one|could not start/);
  },
  TEST_MS,
);
