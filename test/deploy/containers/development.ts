import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { leastBeneficiary } from '../../support/given.js';
import { until } from '../../support/until.js';
import { freePort } from '../proxy.js';
import { Composition, answers, statusOf } from './composition.js';

/** Each of these has a meaning of its own in an address, in YAML or in a shell. */
const AWKWARD_PASSWORD = `p@ss/w:rd?#[1]&%41+"' $x\\`;
/** Each takes at most 100 beneficiaries. */
const ACCOUNTS = ['demo-1001', 'demo-1002', 'demo-1003', 'demo-1004'] as const;
/** To each of them at once, one after the other. */
const WRITES = 50;

const QUERY = '{ account(accountId: "demo-1001") { status } }';
const ANSWER = '{"account":{"status":"OPEN"}}';

/** The docker-compose.yml of the project, unchanged. */
export class Development {
  private token: Promise<string> | undefined;

  private constructor(
    readonly composition: Composition,
    private readonly url: string,
  ) {}

  static async at(name: string): Promise<Development> {
    const port = await freePort();
    const env = { PORT: String(port), POSTGRES_PASSWORD: AWKWARD_PASSWORD };
    return new Development(new Composition(name, ['docker-compose.yml'], env), `http://127.0.0.1:${port}`);
  }

  async start(): Promise<string> {
    await this.composition.compose('up', '--wait');
    assert.equal(await this.query(QUERY), ANSWER);
    for (const line of (await this.composition.compose('logs', '--no-log-prefix', 'gateway')).trim().split('\n')) {
      if (line !== `http://127.0.0.1:4000`) JSON.parse(line);
    }
    return 'a query is answered';
  }

  /** Restarted, and taken down and brought up again, it has what was written. */
  async keepData(): Promise<string> {
    assert.equal(await this.add('demo-1001', randomUUID()), 201);
    const before = await this.count();
    await this.composition.compose('restart', 'gateway');
    await answers(`${this.url}/readyz`, 200);
    assert.equal(await this.count(), before);
    await this.composition.compose('down');
    await this.composition.compose('up', '--wait');
    assert.equal(await this.count(), before);
    return 'the data are there after a restart, and after down and up';
  }

  /** Writes with keys while the process is killed, each sent again until it is answered. */
  async loseNothing(): Promise<string> {
    const before = await this.count();
    const pid = Number(await this.composition.inspect('gateway', '.State.Pid'));
    const writing = ACCOUNTS.map(async (account, place) => {
      for (let n = 0; n < WRITES; n++) {
        if (place === 0 && n === WRITES / 5) process.kill(pid, 'SIGKILL');
        const key = randomUUID();
        await until(async () => (await this.add(account, key)) === 201);
      }
    });
    await Promise.all(writing);
    assert.notEqual(Number(await this.composition.inspect('gateway', '.State.Pid')), pid);
    assert.equal(await this.count(), before + ACCOUNTS.length * WRITES);
    return `${ACCOUNTS.length * WRITES} writes with keys are there once each, after kill -9`;
  }

  /** In several processes. A stop right after a reload needs no force. */
  async serveInWorkers(): Promise<string> {
    await this.composition.with({ WORKERS: '2' }).compose('up', '--wait');
    assert.equal(await this.query(QUERY), ANSWER);
    await this.composition.compose('kill', '--signal', 'HUP', 'gateway');
    await this.composition.stopGateway();
    return 'two workers serve, and a stop right after a reload needs no force';
  }

  private async query(query: string): Promise<string> {
    const init = { method: 'POST', headers: await this.headers(), body: JSON.stringify({ query }) };
    const { data } = (await (await fetch(`${this.url}/graphql`, init)).json()) as { data: unknown };
    return JSON.stringify(data);
  }

  private async add(account: string, key: string): Promise<number> {
    const headers = { ...(await this.headers()), 'X-Idempotency-Key': key };
    const init = { method: 'POST', headers, body: JSON.stringify(leastBeneficiary()) };
    return statusOf(`${this.url}/accounts/${account}/beneficiaries`, init);
  }

  /** How many beneficiaries the accounts have. */
  private async count(): Promise<number> {
    let count = 0;
    for (const account of ACCOUNTS) {
      const answer = await fetch(`${this.url}/accounts/${account}/beneficiaries`, { headers: await this.headers() });
      const { page } = (await answer.json()) as { page: { totalElements: string } };
      count += Number(page.totalElements);
    }
    return count;
  }

  private async headers(): Promise<Record<string, string>> {
    // The keys of the development issuer are kept with the data, so one token serves throughout.
    this.token ??= this.composition.compose(
      'exec',
      '-T',
      'gateway',
      'node',
      'dist/src/main.js',
      'token',
      '--program',
      'demo',
    );
    return { Authorization: `Bearer ${(await this.token).trim()}`, 'Content-Type': 'application/json' };
  }
}
