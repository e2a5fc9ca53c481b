import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import pg from 'pg';
import { INCLUDING_SCOPES, SCOPES, type Scope } from '../../src/shared/caller.js';
import { valueOf } from '../platform/metrics/reading.js';
import type { GraphqlBody, Pages, RestPage } from './answers.js';
import type { ControlFunctions, InsideModule } from './gateway-process/control-functions.js';
import type { TestData } from './gateway-process/test-data.js';
export type { Answer } from './http.js';
import { HttpClient, type Answer, type HttpRequest, type AnyBody, type Watcher } from './http.js';
import { directly } from './postgres.js';
import { onCitus } from './server-nodes.js';
import { until } from './until.js';

/** Everything but whole government ids, which is what most callers may do. */
export const USUAL_SCOPES: readonly Scope[] = SCOPES.filter(scope => scope !== 'pii.read');

/** All scopes but those that allow this. */
export function scopesWithout(scope: Scope): readonly Scope[] {
  return SCOPES.filter(other => other !== scope && !INCLUDING_SCOPES.get(scope)?.includes(other));
}

export interface CallerOrder {
  readonly program?: string;
  readonly scopes?: readonly Scope[] | string;
  readonly customerId?: string | null;
  readonly clientId?: string;
  readonly subject?: string;
  readonly ttlSeconds?: number;
}

export type GraphqlAnswer<Data = AnyBody> = Pick<Answer, 'status' | 'headers' | 'text'> & GraphqlBody<Data>;

/** A write with this idempotency key. */
export function keyed(key: string): Record<string, string> {
  return { 'x-idempotency-key': key };
}

export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}

const WAITING_ON_ONE = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'tillgate' AND wait_event_type = 'Lock'`;
/** What waits on a node by way of the coordinator is a session of the coordinator, and waits for the node. */
const WAITING_ON_CITUS = `SELECT global_pid AS pid FROM citus_stat_activity
  WHERE datname = current_database() AND application_name = 'tillgate'
    AND (wait_event_type = 'Lock' OR global_pid IN (SELECT waiting_gpid FROM citus_lock_waits))`;
/** Sessions of the gateway that wait for a lock, on any node. */
export const WAITING = onCitus ? WAITING_ON_CITUS : WAITING_ON_ONE;

/** A request with its answer, to be held against what the gateway promises. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly answer: Pick<Answer, 'status' | 'headers' | 'text'>;
}

/** What tests need of a gateway besides its interfaces, in whichever process it is. */
export interface GatewayInside {
  readonly url: string;
  /** Of callers whose order names no program. */
  readonly program: string;
  /** Holds a request and its answer against what the gateway promises. Throws where it differs. */
  readonly watch: Watcher;
  readonly log: readonly string[];
  /** Resolves when `log` has all that was logged so far. */
  logged(): Promise<void>;
  call<Name extends keyof ControlFunctions>(
    name: Name,
    ...args: Parameters<ControlFunctions[Name]>
  ): Promise<Awaited<ReturnType<ControlFunctions[Name]>>>;
  stop(): Promise<void>;
}

/** The functions of a module of a test in the process of its gateway, as the test calls them. */
type CalledInside<Module extends InsideModule> = {
  readonly [Name in keyof Module]: Module[Name] extends (gateway: never, ...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** The methods of `TestData`. */
type Given = Pick<TestData, keyof TestData>;

/** A running gateway, as tests use it: over HTTP, with data of their own, and with a look at its database. */
export class TestGateway {
  readonly given: Given;
  readonly http: HttpClient;
  /** Connections beside those of the gateway, to look at what is stored and to get in its way. */
  readonly sql: pg.Pool;

  constructor(
    protected readonly inside: GatewayInside,
    readonly databaseUrl: string,
  ) {
    this.given = givenBy(inside);
    this.http = new HttpClient(inside.url, inside.watch, () =>
      inside.log.filter(line => /"level":"(error|warn)"/.test(line)).join(''),
    );
    this.sql = new pg.Pool({ connectionString: directly(databaseUrl), max: 8, application_name: 'tillgate-onlooker' });
    this.sql.on('error', () => undefined);
  }

  get url(): string {
    return this.inside.url;
  }

  /** What the gateway logged since the test file began, up to the last answer or call of `logged`. */
  get log(): readonly string[] {
    return this.inside.log;
  }

  /** What the gateway logged until now. */
  async logged(): Promise<readonly string[]> {
    await this.inside.logged();
    return this.inside.log;
  }

  /** The program of callers whose order names none. */
  get program(): string {
    return this.inside.program;
  }

  /** An access token: of the program of this file, with the usual scopes, unless the order says otherwise. */
  caller(order: CallerOrder = {}): Promise<string> {
    return this.inside.call('token', { program: this.program, ...order });
  }

  /** Resolves when what is committed now has its place in the feed. */
  async feedReady(): Promise<void> {
    const { rows } = await this.sql.query<{ last: string }>('SELECT coalesce(max(id), 0) AS last FROM event');
    await until(async () => {
      const { rows: state } = await this.sql.query<{ seen: string }>('SELECT last_event_id AS seen FROM feed_state');
      return BigInt(state[0]?.seen ?? 0) >= BigInt(rows[0]?.last ?? 0);
    });
  }

  /** REST and GraphQL for the holder of a token; null sends none. */
  as(token: string | null): CallerClient {
    return new CallerClient(this.http, token);
  }

  /** How many rows each table has; of events, those of commands that were carried out. */
  async rows(): Promise<Record<string, number>> {
    const { rows } = await this.sql.query(
      `SELECT (SELECT count(*)::int FROM customer) customer, (SELECT count(*)::int FROM account) account, (SELECT count(*)::int FROM account_owner) account_owner,
        (SELECT count(*)::int FROM beneficiary) beneficiary, (SELECT count(*)::int FROM statement) statement,
        (SELECT count(*)::int FROM event WHERE outcome = 'DONE') event, (SELECT count(*)::int FROM idempotency_key) idempotency_key`,
    );
    return rows[0] as Record<string, number>;
  }

  /** Holds the lock of an account, as a long command of somebody else would, until the function it gives is called. */
  lockAccount(...accountIds: string[]): Promise<() => Promise<void>> {
    return this.holding(async client => {
      // One by one, as Citus locks rows of one shard in a statement.
      for (const id of accountIds) await client.query('SELECT FROM account WHERE account_id = $1 FOR UPDATE', [id]);
    });
  }

  /** Lets nobody read or write a table until the function it gives is called. */
  lockTable(table: 'account' | 'transaction'): Promise<() => Promise<void>> {
    // LOCK TABLE locks no shards. A change of the table, which is rolled back, locks them as well.
    const lock = onCitus ? `ALTER TABLE ${table} ADD COLUMN held int` : `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`;
    return this.holding(client => client.query(lock));
  }

  private async holding(lock: (client: pg.PoolClient) => Promise<unknown>): Promise<() => Promise<void>> {
    const client = await this.sql.connect();
    await client.query('BEGIN');
    await lock(client);
    return async () => {
      await client.query('ROLLBACK');
      client.release();
    };
  }

  /** Does what only somebody with all rights on the database can do: triggers and foreign keys do not apply. */
  async tamper(...statements: readonly string[]): Promise<void> {
    const client = await this.sql.connect();
    try {
      await client.query('BEGIN');
      // Citus then makes the next setting on the nodes as well. Elsewhere it means nothing.
      await client.query("SET LOCAL citus.propagate_set_commands = 'local'");
      await client.query("SET LOCAL session_replication_role = 'replica'");
      for (const statement of statements) await client.query(statement);
      await client.query('COMMIT');
    } finally {
      client.release(true);
    }
  }

  /** Resolves once so many sessions of the gateway wait for a lock, on any node. Gives their process ids. */
  async waiting(count = 1): Promise<number[]> {
    let pids: number[] = [];
    await until(async () => {
      const { rows } = await this.sql.query<{ pid: number | string }>(WAITING);
      pids = rows.map(({ pid }) => Number(pid));
      return pids.length >= count;
    });
    return pids;
  }

  /** Ends sessions, or what they do, on any node. */
  async end(pids: readonly number[], what: 'terminate' | 'cancel' = 'terminate'): Promise<void> {
    const type = onCitus ? 'int8' : 'int';
    for (const pid of pids) await this.sql.query(`SELECT pg_${what}_backend($1::${type})`, [pid]);
  }

  /** Resolves when what was denied and searched so far is on record. */
  async recorded(): Promise<void> {
    await this.inside.call('recorded');
  }

  /** The functions of `<path>.inside.ts`, which run in the process of the gateway. */
  module<Module extends InsideModule>(path: string): CalledInside<Module> {
    return functionsOf<Module>(this.inside, path);
  }

  /** Moves the clock that `Date` shows in the process of the gateway on, until `realTime`. */
  passSeconds(seconds: number): Promise<void> {
    return this.inside.call('passSeconds', seconds);
  }

  realTime(): Promise<void> {
    return this.inside.call('realTime');
  }

  /** How many subscriptions are open. */
  openSubscriptions(): Promise<number> {
    return this.inside.call('openSubscriptions');
  }

  /** How many subscriptions have ended. */
  endedSubscriptions(): Promise<number> {
    return this.inside.call('endedSubscriptions');
  }

  /** Lets the gateway issue the documents of a period, and gives how that ended. */
  issue(...order: Parameters<ControlFunctions['issue']>): ReturnType<ControlFunctions['issue']> {
    return this.inside.call('issue', ...order);
  }

  /** How a run of documents ended, once it has. */
  endOfRun(runId: string): ReturnType<ControlFunctions['endOfRun']> {
    return this.inside.call('endOfRun', runId);
  }

  /** Verifies the chains of all events. */
  verified(): ReturnType<ControlFunctions['verified']> {
    return this.inside.call('verified');
  }

  /** Throws where an answer is not as the gateway promises. */
  async check(request: HttpRequest, { status, headers, text }: Answer): Promise<void> {
    await this.inside.call('check', { request, answer: { status, headers, text } });
  }

  /** Imports lines as one batch and tells what became of each. */
  importLines(...order: Parameters<ControlFunctions['importLines']>): ReturnType<ControlFunctions['importLines']> {
    return this.inside.call('importLines', ...order);
  }

  /** Opens what is sealed with the keys of fields. */
  opened(identity: string, sealed: Buffer): Promise<unknown> {
    return this.inside.call('opened', identity, sealed);
  }

  /** Opens what is sealed with the keys of cards. */
  openedCard(identity: string, sealed: Buffer): Promise<unknown> {
    return this.inside.call('openedCard', identity, sealed);
  }

  /** Seals a value with the keys of fields. */
  async sealed(identity: string, value: unknown): Promise<Buffer> {
    return Buffer.from(await this.inside.call('sealed', identity, value));
  }

  /** Ends approvals whose time is over, and gives how many. */
  expireApprovals(): Promise<number> {
    return this.inside.call('expireApprovals');
  }

  /** Opens a part of a stored document. */
  openDocument(...document: Parameters<ControlFunctions['openDocument']>): Promise<Buffer> {
    return this.inside.call('openDocument', ...document);
  }

  /** Signs a viewer of a program in at the console, as its page does. */
  signIn(program: string, name = 'Ana Ruiz'): Promise<{ readonly sessionId: string }> {
    return this.inside.call('signIn', program, name);
  }

  /** The open sessions of the console in a program. */
  sessions(program: string): ReturnType<ControlFunctions['sessions']> {
    return this.inside.call('sessions', program);
  }

  /** Resolves once the gateway says that it can do its work. */
  ready(): Promise<void> {
    return until(async () => (await this.http.send({ path: '/readyz' })).status === 200);
  }

  /**
   * Resolves once no GraphQL operation waits to be compiled: whatever was answered three times without an error is, if
   * it can be.
   */
  compiled(): Promise<void> {
    return until(async () => {
      const { text } = await this.http.send({ path: '/metrics' });
      return valueOf(text, 'tillgate_graphql_compilations_waiting') === 0;
    });
  }

  /** Lets the gateway stop as production does. Its database stays, until `stop`. */
  async stopServing(): Promise<void> {
    await this.inside.call('stopGateway');
  }

  async stop(): Promise<void> {
    this.http.close();
    await this.sql.end();
    await this.inside.stop();
  }
}

/** The functions of `<path>.inside.ts` in the process of a gateway. The path is that in the repository. */
export function functionsOf<Module extends InsideModule>(
  inside: Pick<GatewayInside, 'call'>,
  path: string,
): CalledInside<Module> {
  return new Proxy({} as CalledInside<Module>, {
    get:
      (_, name: string) =>
      (...args: readonly unknown[]) =>
        inside.call('inside', `${path}.inside`, name, args),
  });
}

/** `TestData` in the gateway's process. */
function givenBy(inside: GatewayInside): Given {
  const program = (): string => unique('program');
  return new Proxy({} as Given, {
    get: (_, name: keyof TestData) =>
      name === 'program' ? program : (...args: readonly unknown[]) => inside.call('given', name, args),
  });
}

type Headers = OutgoingHttpHeaders;

class CallerClient {
  readonly rest = {
    get: <Body = AnyBody>(path: string, headers?: Headers) => this.send<Body>('GET', path, undefined, headers),
    post: <Body = AnyBody>(path: string, body?: unknown, headers?: Headers) =>
      this.send<Body>('POST', path, body, headers),
    patch: <Body = AnyBody>(path: string, body?: unknown, headers?: Headers) =>
      this.send<Body>('PATCH', path, body, headers),
    delete: <Body = AnyBody>(path: string, headers?: Headers) => this.send<Body>('DELETE', path, undefined, headers),
  };

  constructor(
    private readonly http: HttpClient,
    private readonly token: string | null,
  ) {}

  async graphql<Data = AnyBody>(
    query: string,
    variables?: object,
    { headers = {} }: { headers?: Headers } = {},
  ): Promise<GraphqlAnswer<Data>> {
    const answer = await this.send<GraphqlBody<Data>>('POST', '/graphql', { query, variables }, headers);
    return {
      status: answer.status,
      headers: answer.headers,
      text: answer.text,
      data: answer.body.data,
      errors: answer.body.errors,
    };
  }

  /** All pages of a REST list, by its links alone. */
  async pages<Page extends RestPage>(path: string): Promise<Pages<Page>> {
    const { status, body, text } = await this.rest.get<Page>(path);
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return [body, ...(body.links.next ? await this.pages<Page>(body.links.next.href) : [])];
  }

  /** A request of any kind, with this caller's token. */
  raw(asking: HttpRequest): Promise<Answer> {
    return this.http.send({ ...asking, headers: { ...this.authorization(), ...(asking.headers as Headers) } });
  }

  private send<Body>(method: string, path: string, body: unknown, headers: Headers = {}): Promise<Answer<Body>> {
    return this.raw({
      method,
      path,
      body,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    });
  }

  private authorization(): Headers {
    return this.token === null ? {} : { authorization: `Bearer ${this.token}` };
  }
}
