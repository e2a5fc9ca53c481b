import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { UniqueConstraintViolationException, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { TimedOut, within } from '../../../src/platform/database/deadline.js';
import { openDatabase, type Database, type DatabaseOptions } from '../../../src/platform/database/orm.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { isConnectionLost, isLockTimeout, isRetryable, isStatementCancelled } from '../../../lib/pg-wire/pg-errors.js';
import { directly, freshDatabase, type FreshDatabase } from '../../support/postgres.js';
import { onCitus } from '../../support/server-nodes.js';
import { until } from '../../support/until.js';
import { Shelf } from './shelf.entity.js';

let fresh: FreshDatabase;
/** Somebody else who is connected to the same database. */
let other: pg.Client;
let database: Database;
const opened: Database[] = [];
const relays: { close(): void }[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  other = new pg.Client({ connectionString: directly(fresh.url) });
  await other.connect();
  await other.query('create table shelf (shelf_id text primary key, label text not null, filled_at timestamptz(3))');
});

beforeEach(async () => {
  database = await open();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map(each => each.close()));
  for (const relay of relays.splice(0)) relay.close();
  await other.query('truncate shelf');
});

afterAll(async () => {
  await other.end();
  await fresh.drop();
});

describe('a connection', () => {
  // What happens to a session of the server, a pooler's clients do not see as such.
  const ofItsOwn = () => open({ url: directly(fresh.url), poolSize: 1 });

  test('has our limits from its first message on, and the address of the operator has the last word', async () => {
    const settings = `select current_setting('timezone'), current_setting('statement_timeout'), current_setting('lock_timeout'),
      current_setting('idle_in_transaction_session_timeout'), current_setting('plan_cache_mode'), current_setting('application_name')`;
    expect(await database.query({ name: 'settings', text: settings })).toEqual([
      ['UTC', '10s', '2s', '10s', onCitus ? 'auto' : 'force_generic_plan', 'tillgate-test'],
    ]);

    const address = new URL(directly(fresh.url));
    address.searchParams.set('options', '-c statement_timeout=1234ms -c work_mem=5MB');
    const custom = await open({ url: address.href });
    expect(
      await custom.query({
        name: 'custom',
        text: `select current_setting('statement_timeout'), current_setting('work_mem'), current_setting('lock_timeout')`,
      }),
    ).toEqual([['1234ms', '5MB', '2s']]);
  });

  test('is encrypted where the address asks for it', async () => {
    const address = new URL(fresh.url);
    address.searchParams.set('sslmode', 'verify-full');
    const encrypted = await open({ url: address.href });
    const ssl = { name: 'ssl', text: 'select ssl from pg_stat_ssl where pid = pg_backend_pid()' };
    await encrypted.query<[boolean]>(ssl).then(
      ([row]) => expect(row).toEqual([true]),
      (error: Error) => expect(error.message).toMatch(/does not support SSL|certificate/),
    );
    await expect(encrypted.em().execute('select 1')).rejects.toThrow(/does not support SSL|certificate/);
  });

  test('that breaks while it is idle is replaced', async () => {
    const single = await ofItsOwn();
    const [[pid]] = (await single.query<[number]>(PID)) as [[number]];
    await terminate(pid);
    await until(() => single.pool.totalCount === 0);
    const [[next]] = (await single.query<[number]>(PID)) as [[number]];
    expect(next).not.toBe(pid);
    expect(await single.em().execute('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('that breaks during a statement fails that statement alone, as a lost connection', async () => {
    const sleeping = database.query({ name: 'sleep', text: 'select pg_sleep(30)' }).catch((error: unknown) => error);
    const ormSleeping = database
      .em()
      .execute('select pg_sleep(30)')
      .catch((error: unknown) => error);
    await terminateSleeping(2);
    expect(isConnectionLost(await sleeping)).toBe(true);
    expect(isConnectionLost(await ormSleeping)).toBe(true);
    expect(await database.query({ name: 'one', text: 'select 1' })).toEqual([[1]]);
  });

  test('whose server ends while Citus waits for a node is a lost one', async () => {
    const raised = (message: string) =>
      other
        .query(`do $$ begin raise exception using errcode = 'XX000', message = '${message}'; end $$`)
        .catch(isConnectionLost);
    expect(await raised('postmaster was shut down, exiting')).toBe(true);
    expect(await raised('failure on connection marked as essential: 10.0.0.7:5432')).toBe(true);
    expect(await raised('something else')).toBe(false);
  });

  test('that breaks in a transaction takes nothing else with it, not even its place in the pool', async () => {
    const single = await open({ poolSize: 1 });
    for (const _time of [1, 2]) expect(isConnectionLost(await breakInTransaction(single))).toBe(true);
    expect(await single.em().count(Shelf)).toBe(0);
    await single.em().transactional(em => em.insert(Shelf, { shelfId: 'kept', label: 'kept', filledAt: null }));
    expect(await single.query({ name: 'shelves', text: 'select shelf_id from shelf' })).toEqual([['kept']]);
  });

  test('stays when only the values were bad', async () => {
    const single = await open({ poolSize: 1 });
    const before = await single.query(PID);
    await expect(single.query({ name: 'uuid', text: 'select $1::uuid' }, ['x'])).rejects.toThrow(
      'invalid input syntax',
    );
    await expect(single.query({ name: 'refuse', text: `insert into shelf values ('a', null)` })).rejects.toThrow(
      'null value',
    );
    expect(await single.query(PID)).toEqual(before);
  });

  test('forgets a statement whose result a migration has changed', async () => {
    const single = await ofItsOwn();
    await other.query('create table changing (value int); insert into changing values (7)');
    const read = { name: 'read', text: 'select value from changing' };
    expect(await single.query(read)).toEqual([[7]]);
    await other.query('alter table changing alter column value type text');
    await expect(single.query(read)).rejects.toThrow('cached plan must not change result type');
    expect(await single.query(read)).toEqual([['7']]);
  });

  test('is waited for when all are busy', async () => {
    const small = await open({ poolSize: 2 });
    const pids = await Promise.all(Array.from({ length: 50 }, () => small.query<[number]>(PID)));
    expect(new Set(pids.map(([row]) => row?.[0])).size).toBeLessThanOrEqual(2);
  });
});

describe('a hot read', () => {
  test('gives rows as arrays, exact and ready to be sent', async () => {
    const rows = await database.query({
      name: 'types',
      text: `select 9007199254740993::int8, 12345678901234567890.120::numeric, date '2026-02-03', timestamptz '2026-02-03 04:05:06.7+02', timestamptz '2026-02-03 04:05:06+00',
        timestamptz '2026-02-03 04:05:06.123456+00', timestamp '2026-02-03 04:05:06.789', '0190a0b0-0000-7000-8000-000000000001'::uuid, 'text', '{"a":[1,null]}'::jsonb, '\\x00ff'::bytea, 5::int4, true, null`,
    });
    expect(rows).toEqual([
      [
        9007199254740993n,
        '12345678901234567890.120',
        '2026-02-03',
        '2026-02-03T02:05:06.700Z',
        '2026-02-03T04:05:06.000Z',
        '2026-02-03T04:05:06.123Z',
        '2026-02-03T04:05:06',
        '0190a0b0-0000-7000-8000-000000000001',
        'text',
        { a: [1, null] },
        Buffer.from([0, 255]),
        5,
        true,
        null,
      ],
    ]);
  });

  test('gives arrays of such values alike', async () => {
    const text = `select array[1, null, 2]::int8[], array[1.50]::numeric[], array[date '2026-02-03'], array[timestamptz '2026-02-03 04:05:06Z', null], array[timestamp '2026-02-03 04:05:06'], '{}'::int8[], array['a,"b', null]`;
    expect(await database.query({ name: 'arrays', text })).toEqual([
      [
        [1n, null, 2n],
        ['1.50'],
        ['2026-02-03'],
        ['2026-02-03T04:05:06.000Z', null],
        ['2026-02-03T04:05:06'],
        [],
        ['a,"b', null],
      ],
    ]);
  });

  test('gives instants in UTC also where the session has another zone', async () => {
    const elsewhere = await open({ session: { timezone: 'America/New_York' } });
    const text = `select timestamptz '2026-07-03 04:05:06.7Z', timestamptz '0044-03-15 12:00:00Z BC', timestamptz 'infinity'`;
    expect(await elsewhere.query({ name: 'zone', text })).toEqual([
      ['2026-07-03T04:05:06.700Z', '-000043-03-15T12:00:00.000Z', 'infinity'],
    ]);
  });

  test('takes values of every kind', async () => {
    const text = 'select $1::int8, $2::text[], $3::jsonb, $4::timestamptz, $5::bytea, $6::text';
    const values = [
      9007199254740993n,
      ['a', 'b,"c'],
      JSON.stringify([1]),
      '2026-02-03T04:05:06.700Z',
      Buffer.from('x'),
      null,
    ];
    expect(await database.query({ name: 'values', text }, values)).toEqual([
      [9007199254740993n, ['a', 'b,"c'], [1], '2026-02-03T04:05:06.700Z', Buffer.from('x'), null],
    ]);
  });
});

describe('entities', () => {
  test('are written and read through the same pool, in UTC', async () => {
    const filledAt = new Date('2026-02-03T04:05:06.700Z');
    const em = database.em();
    em.create(Shelf, { shelfId: 'a', label: 'A', filledAt });
    await em.flush();
    expect(await database.query({ name: 'shelf', text: 'select shelf_id, label, filled_at from shelf' })).toEqual([
      ['a', 'A', '2026-02-03T04:05:06.700Z'],
    ]);
    expect((await database.em().findOneOrFail(Shelf, { shelfId: 'a' })).filledAt).toEqual(filledAt);
  });

  test('have a unit of work for each `em()`', async () => {
    await database.em().insert(Shelf, { shelfId: 'a', label: 'A', filledAt: null });
    const [first, second] = [database.em(), database.em()];
    expect(await first.findOneOrFail(Shelf, { shelfId: 'a' })).not.toBe(
      await second.findOneOrFail(Shelf, { shelfId: 'a' }),
    );
    await expect(first.insert(Shelf, { shelfId: 'a', label: 'A', filledAt: null })).rejects.toThrow(
      UniqueConstraintViolationException,
    );
  });

  test('are found and changed in an open transaction, and by the primary once it is committed', async () => {
    await inTransaction(database, async transaction => {
      const em = database.em(transaction);
      await em.insert(Shelf, { shelfId: 'a', label: 'A', filledAt: null });
      await em.nativeUpdate(Shelf, { shelfId: 'a' }, { label: 'B' });
      expect(await database.em(transaction).findOneOrFail(Shelf, { shelfId: 'a' })).toMatchObject({ label: 'B' });
      expect(await database.primary().count(Shelf)).toBe(0);
    });
    expect(await database.primary().find(Shelf, {})).toMatchObject([{ shelfId: 'a', label: 'B' }]);
  });

  test('are not left by a transaction that fails', async () => {
    const failing = inTransaction(database, async transaction => {
      await database.em(transaction).insert(Shelf, { shelfId: 'a', label: 'A', filledAt: null });
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(await database.em().count(Shelf)).toBe(0);
  });

  test('are refused to a request whose time is over, as other reads are', async () => {
    let refused: unknown;
    const late = within(1, async () => {
      await sleep(20);
      refused = await database
        .em()
        .find(Shelf, {})
        .catch((error: unknown) => error);
    });
    await expect(late).rejects.toThrow(TimedOut);
    await until(() => refused !== undefined);
    expect(refused).toBeInstanceOf(TimedOut);
  });

  // A server logs the texts of statements that fail or take long, and shows them in pg_stat_activity.
  describe('are found and written with values that are no part of the text', () => {
    const WAYS: [string, (use: (em: EntityManager) => Promise<void>) => Promise<void>][] = [
      ['a reader', use => use(database.em())],
      ['the primary', use => use(database.primary())],
      ['an open transaction', use => inTransaction(database, transaction => use(database.em(transaction)))],
      ['a transaction of its own', use => database.em().transactional(use)],
    ];
    const label = `O'Neill \\ held "back"? $1`;
    const filledAt = new Date('2026-02-03T04:05:06.700Z');
    // True where the server's text of the statement has neither the name nor the instant.
    const isHidden = { [raw(`current_query() !~ ('Neil' || 'l|2026-02' || '-03')`)]: true };

    test.each(WAYS)('by %s', async (_way, work) => {
      await work(async em => {
        await em.insert(Shelf, { shelfId: 'a', label, filledAt });
        await em.insertMany(Shelf, [
          { shelfId: 'b', label: 'B', filledAt },
          { shelfId: 'c', label: 'C', filledAt: null },
        ]);
        await em.upsert(Shelf, { shelfId: 'b', label, filledAt });
        const isB = { shelfId: 'b', label, filledAt, ...isHidden };
        expect(
          await em.fork({ keepTransactionContext: true }).find(Shelf, { ...isB, shelfId: { $in: ['b', 'c'] } }),
        ).toMatchObject([{ shelfId: 'b', label, filledAt }]);
        expect(await em.count(Shelf, isB)).toBe(1);
        const shelves = em
          .createQueryBuilder(Shelf, 's')
          .select('s.shelfId')
          .where(isB)
          .andWhere({ $not: { label: 'C' } });
        expect(await shelves.execute()).toEqual([{ shelfId: 'b' }]);
        await em.nativeUpdate(Shelf, isB, { label: 'D' });
        await em.nativeDelete(Shelf, { label, filledAt, ...isHidden });
        expect(
          await em.fork({ keepTransactionContext: true }).find(Shelf, {}, { orderBy: { shelfId: 'asc' } }),
        ).toMatchObject([
          { shelfId: 'b', label: 'D' },
          { shelfId: 'c', label: 'C' },
        ]);
      });
    });
  });

  test('are not found by a value that is not defined', async () => {
    await database.em().insert(Shelf, { shelfId: 'a', label: 'A', filledAt: null });
    const label = undefined as unknown as string;
    await expect(database.em().findOne(Shelf, { label })).resolves.toBeNull();
  });
});

describe('errors', () => {
  test.each([
    ['a deadlock', '40P01', isRetryable],
    ['a serialization failure', '40001', isRetryable],
    ['a lock that is not available', '55P03', isLockTimeout],
    ['a cancelled statement', '57014', isStatementCancelled],
    ['too many connections', '53300', isConnectionLost],
    ['a server that goes down', '57P01', isConnectionLost],
    ['a connection failure', '08006', isConnectionLost],
  ])('%s is known over GraphQL and REST', async (_what, state, is) => {
    const text = `do $$ begin raise sqlstate '${state}'; end $$`;
    const errors = [
      await database.query({ name: state, text }).catch((error: unknown) => error),
      await database
        .em()
        .execute(text)
        .catch((error: unknown) => error),
      await database
        .em()
        .transactional(em => em.execute(text))
        .catch((error: unknown) => error),
    ];
    for (const error of [...errors, new Error('wrapped', { cause: errors[0] })]) {
      expect([isRetryable, isLockTimeout, isStatementCancelled, isConnectionLost].filter(each => each(error))).toEqual([
        is,
      ]);
    }
  });

  test('a real wait for a lock and a real long statement end in time', async () => {
    const hasty = await open({ session: { lock_timeout: '20ms', statement_timeout: '200ms' } });
    await other.query('begin; lock table shelf');
    const blocked = await hasty
      .em()
      .findOne(Shelf, { shelfId: 'a' })
      .catch((error: unknown) => error);
    await other.query('rollback');
    expect(isLockTimeout(blocked)).toBe(true);
    expect(
      isStatementCancelled(
        await hasty.query({ name: 'slow', text: 'select pg_sleep(30)' }).catch((error: unknown) => error),
      ),
    ).toBe(true);
  });

  test('a database that is away is a lost connection, told by the first statement', async () => {
    const port = await freePort();
    const away = await open({ url: `postgres://nobody:x@127.0.0.1:${port}/none` });
    expect(isConnectionLost(await away.ping(1000).catch((error: unknown) => error))).toBe(true);
    expect(
      isConnectionLost(
        await away
          .em()
          .execute('select 1')
          .catch((error: unknown) => error),
      ),
    ).toBe(true);
  });

  test('other errors are none of these', () => {
    for (const error of [
      new Error('no'),
      null,
      undefined,
      'text',
      Object.assign(new Error('x'), { code: '23505' }),
      { code: 42 },
    ]) {
      expect([isRetryable, isLockTimeout, isStatementCancelled, isConnectionLost].some(is => is(error))).toBe(false);
    }
  });
});

describe('ping', () => {
  test('passes where the database answers', async () => {
    await expect(database.ping(5000)).resolves.toBeUndefined();
  });

  test('fails in time where nobody answers', async () => {
    const sockets: Socket[] = [];
    const silent = createServer(socket => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const mute = await open({ url: `postgres://nobody:x@127.0.0.1:${(silent.address() as AddressInfo).port}/none` });
    const error = await mute.ping(50).catch((failure: unknown) => failure);
    expect(isConnectionLost(error)).toBe(true);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});

describe('a server that answered and no longer does', () => {
  test('loses the connection in time, and what comes then gets another one', async () => {
    // The test tells connections apart by their sessions, which a pooler gives to one after another.
    const relay = await relayTo(directly(fresh.url));
    const through = await open({ url: relay.url });
    const [[first]] = (await through.query(PID)) as [[number]];
    relay.mute();
    const errors = await Promise.all([
      through.query(PID).catch((failure: unknown) => failure),
      through.query(PID).catch((failure: unknown) => failure),
    ]);
    expect(errors.map(isConnectionLost)).toEqual([true, true]);
    relay.speak();
    const [[next]] = (await through.query(PID)) as [[number]];
    expect(next).not.toBe(first);
  });
});

describe('close', () => {
  test('ends every connection, whoever made it, and waits for what is running', async () => {
    // A pooler keeps its sessions.
    for (const use of [() => Promise.resolve(), () => database.query(PID), () => database.em().execute('select 1')]) {
      const each = await open({ url: directly(fresh.url), applicationName: 'closing' });
      await use();
      const running = each.query({ name: 'running', text: `select 'done', pg_sleep(0.1)::text` });
      await until(() => each.pool.idleCount === 0 && each.pool.totalCount === 1);
      await each.close();
      expect(await running).toEqual([['done', '']]);
      await until(
        async () =>
          (await other.query(`select 1 from pg_stat_activity where application_name = 'closing'`)).rowCount === 0,
      );
      opened.splice(opened.indexOf(each), 1);
    }
  });
});

const PID = { name: 'pid', text: 'select pg_backend_pid()' };

async function open(changes: Partial<DatabaseOptions> = {}): Promise<Database> {
  const each = await openDatabase({
    url: fresh.url,
    poolSize: 4,
    entities: [Shelf],
    applicationName: 'tillgate-test',
    ...changes,
  });
  opened.push(each);
  return each;
}

function breakInTransaction(from: Database): Promise<unknown> {
  return from
    .em()
    .transactional(async em => {
      await em.insert(Shelf, { shelfId: 'lost', label: 'lost', filledAt: null });
      const [{ pid }] = (await em.execute('select pg_backend_pid() as pid')) as [{ pid: number }];
      await terminate(pid);
      await em.execute('select 1');
    })
    .catch((error: unknown) => error);
}

async function terminate(pid: number): Promise<void> {
  await other.query('select pg_terminate_backend($1::int, 5000)', [pid]);
}

async function terminateSleeping(count: number): Promise<void> {
  const sleeping = `from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  await until(async () => (await other.query(`select 1 ${sleeping}`)).rowCount === count);
  await other.query(`select pg_terminate_backend(pid, 5000) ${sleeping}`);
}

/** Passes on what comes and goes, or nothing at all. */
async function relayTo(url: string): Promise<{ url: string; mute(): void; speak(): void }> {
  const address = new URL(url);
  const { hostname, port } = address;
  const sockets: Socket[] = [];
  let isMute = false;
  const server = createServer(near => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    near.on('data', bytes => isMute || far.write(bytes));
    far.on('data', bytes => isMute || near.write(bytes));
    near.on('close', () => far.destroy()).on('error', () => undefined);
    far.on('close', () => near.destroy()).on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address.port = String((server.address() as AddressInfo).port);
  address.hostname = '127.0.0.1';
  relays.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return {
    url: address.href,
    mute: () => void (isMute = true),
    speak: () => void (isMute = false),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
