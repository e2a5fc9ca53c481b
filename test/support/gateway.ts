import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { GatewayOptions } from '../../src/app/create-gateway.js';
import { startGateway, type Gateway } from '../../src/app/gateway.js';
import { readConfig, type Config } from '../../src/app/config.js';
import { DevIssuer } from '../../src/platform/auth/dev-issuer.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { IN_OPERATIONS, SCOPES, type Scope } from '../../src/shared/caller.js';
import type { GraphqlBody, Pages, RestPage } from './answers.js';
import { valueOf } from '../platform/metrics/reading.js';
import { contractOf, type Contract } from './contract.js';
import { TestData } from './given.js';
import { HttpClient, type Answer, type HttpRequest, type AnyBody, type Watcher } from './http.js';
import { checkRefusals } from './refusals.js';
import { directly, directUrlOf, freshDatabase } from './postgres.js';
import { onCitus } from './server-nodes.js';
import { until } from './until.js';

export type { Answer } from './http.js';

/** Everything but whole government ids, which is what most callers may do. */
export const USUAL_SCOPES: readonly Scope[] = SCOPES.filter(scope => scope !== 'pii.read');

/** All scopes but those that allow this. */
export function scopesWithout(scope: Scope): readonly Scope[] {
  return SCOPES.filter(other => other !== scope && !(other === 'operations' && IN_OPERATIONS.has(scope)));
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

/**
 * The gateway as production starts it, on a database of its own unless one is given, at a free port. Its log is kept,
 * from `debug` up.
 */
export async function startTestGateway(
  changes: Partial<Config> = {},
  databaseUrl: (url: string) => string | Promise<string> = url => url,
  plugins: GatewayOptions['plugins'] = [],
): Promise<TestGateway> {
  const database = changes.databaseUrl
    ? { url: changes.databaseUrl, drop: async () => undefined }
    : await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'tillgate-gateway-'));
  const log: string[] = [];
  const url = await databaseUrl(database.url);
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    workers: 1,
    databaseDirectUrl: directUrlOf(database.url),
    poolSize: 10,
    replicas: null,
    dataDir,
    demoData: false,
    sandbox: !changes.production,
    auth: null,
    fieldKeys: null,
    cardKeys: null,
    keyCommand: null,
    cardsPrefix: 'cards',
    idempotencyTtlDays: 30,
    closeMonthly: false,
    graphql: {
      ...readConfig({}).graphql,
      introspection: !changes.production,
      explorer: !changes.production,
    },
    logLevel: 'debug',
    logClientAddress: true,
    metricsToken: null,
    tracing: null,
    webhooks: {
      ...readConfig({}).webhooks,
      takesPart: false,
    },
    console: null,
    production: false,
    tls: null,
    publicUrl: null,
    trustedProxies: [],
    corsOrigins: [],
    shutdownGraceMs: 0,
    ratePerSecond: 1e5,
    rateBurst: 1e6,
    rateStore: 'memory',
    failedAuthPerMinute: 1e6,
    searchesPerHour: 1e6,
    maxWaiting: 1e4,
    maxDelayMs: 6e4,
    ...changes,
    databaseUrl: url,
  };
  const tearDown = async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const logger = createLogger({ level: 'debug', destination: { write: line => void log.push(line) } });
  const gateway = await startGateway(config, logger, { plugins }).catch(async (error: unknown) => {
    await tearDown();
    throw error;
  });
  const sql = new pg.Pool({ connectionString: directly(database.url), max: 8, application_name: 'tillgate-onlooker' });
  return new TestGateway(gateway, contractOf(config), sql, await DevIssuer.open(config.dataDir), log, tearDown);
}

const WAITING_ON_ONE = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'tillgate' AND wait_event_type = 'Lock'`;
/** What waits on a node by way of the coordinator is a session of the coordinator, and waits for the node. */
const WAITING_ON_CITUS = `SELECT global_pid AS pid FROM citus_stat_activity
  WHERE datname = current_database() AND application_name = 'tillgate'
    AND (wait_event_type = 'Lock' OR global_pid IN (SELECT waiting_gpid FROM citus_lock_waits))`;
/** Sessions of the gateway that wait for a lock, on any node. */
export const WAITING = onCitus ? WAITING_ON_CITUS : WAITING_ON_ONE;

export class TestGateway {
  readonly given: TestData;
  readonly http: HttpClient;

  constructor(
    readonly gateway: Gateway,
    /** Every REST answer is held against it, and every one of GraphQL against the refusals that are declared. */
    readonly contract: Contract,
    /** Connections beside those of the gateway, to look at what is stored and to get in its way. */
    readonly sql: pg.Pool,
    private readonly issuer: DevIssuer,
    readonly log: readonly string[],
    private readonly tearDown: () => Promise<void>,
  ) {
    this.given = new TestData(gateway.container, order => this.caller(order));
    const watch: Watcher = (asking, answer) => {
      contract.check(asking, answer);
      checkRefusals(asking, answer);
    };
    this.http = new HttpClient(gateway.url, watch, () =>
      log.filter(line => /"level":"(error|warn)"/.test(line)).join(''),
    );
    this.sql.on('error', () => undefined);
  }

  get url(): string {
    return this.gateway.url;
  }

  /** An access token: of the program `demo`, with the usual scopes, unless the order says otherwise. */
  caller({
    program = 'demo',
    scopes = USUAL_SCOPES,
    customerId = null,
    clientId = 'test-client',
    subject,
    ttlSeconds = 600,
  }: CallerOrder = {}): Promise<string> {
    const scope = typeof scopes === 'string' ? scopes : scopes.join(' ');
    return this.issuer.sign({
      program,
      clientId,
      subject: subject ?? customerId ?? clientId,
      scope,
      customerId,
      ttlSeconds,
    });
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
  recorded(): Promise<void> {
    return Promise.all([this.gateway.container.denials.settled(), this.gateway.container.searchRecords.settled()]).then(
      () => undefined,
    );
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

  async stop(): Promise<void> {
    this.http.close();
    await this.gateway.stop();
    await this.sql.end();
    await this.tearDown();
  }
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
