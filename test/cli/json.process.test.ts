import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { post } from '../statement/issue/issuing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { directly, freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { documentedResult, run } from './command-line.js';
import { customerRecord } from './importing.js';

const [NEW, OLD] = [KeyRing.generate(), KeyRing.generate()];
const idOf = (entry: string): string => entry.slice(0, entry.indexOf(':'));

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;
let gateway: TestGateway;
let account: GivenAccount;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-json-'));
  env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS: OLD };
  // It has both keys, since keys are not rotated while a gateway lacks the newest one.
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: `${OLD},${NEW}` });
  await gateway.given.programRecord('harbor');
  const owner = await gateway.given.customer({ program: 'harbor' });
  account = await gateway.given.account({ program: 'harbor', owners: [owner.customer] });
  await post(gateway, account, [{ at: '2024-03-05', amount: '10.00', type: 'INTEREST' }]);
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The names in an object and in the elements of its lists, of those that `other` has elements of as well. */
function namesIn(value: unknown, other: unknown): unknown {
  if (Array.isArray(value)) {
    const [element, another] = [value[0], Array.isArray(other) ? other[0] : undefined];
    return element === undefined || another === undefined ? [] : [namesIn(element, another)];
  }
  if (typeof value !== 'object' || value === null) return null;
  return Object.entries(value).map(([name, inner]) => [
    name,
    namesIn(inner, (other as Record<string, unknown>)?.[name]),
  ]);
}

/** What a command prints with `--json`: one object on one line, with the names that its help says. */
async function resultOf(command: readonly string[], args: readonly string[], settings = env) {
  const [{ status, stdout, stderr }, sample] = await Promise.all([
    run([...command, ...args, '--json'], settings),
    documentedResult(...command),
  ]);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  const result = JSON.parse(stdout);
  expect(namesIn(result, sample)).toEqual(namesIn(sample, result));
  return { status, stderr, result };
}

describe('with --json', () => {
  test('token says when its token expires', async () => {
    const { status, result } = await resultOf(['token'], ['--program', 'demo', '--ttl', '60']);
    const { exp } = JSON.parse(Buffer.from(result.token.split('.')[1], 'base64url').toString());
    expect([status, Date.parse(result.expiresAt)]).toEqual([0, exp * 1000]);
  });

  test('grants gives what a role lacks, which for the owner is nothing', async () => {
    const role = decodeURIComponent(new URL(directly(database.url)).username);
    expect(await resultOf(['grants'], ['--role', role])).toMatchObject({
      status: 0,
      result: { role, lacking: [], applied: false },
    });
  });

  test('migrate gives a list', async () => {
    expect(await resultOf(['migrate'], [])).toMatchObject({ status: 0, stderr: '', result: { applied: [] } });
  });

  test('keys generate gives a key that can be used', async () => {
    const { result } = await resultOf(['keys', 'generate'], []);
    expect(() => KeyRing.parse(result.key)).not.toThrow();
  });

  test('import counts, and says where the rejected lines are', async () => {
    const file = join(folder, 'customers.ndjson');
    await writeFile(file, `${JSON.stringify(customerRecord())}\n{}\n`);
    const { status, result } = await resultOf(['import'], ['customers', file, '--program', 'demo']);
    expect(status).toBe(1);
    expect(result).toMatchObject({
      kind: 'customers',
      program: 'demo',
      new: 1,
      updated: 0,
      unchanged: 0,
      rejected: 1,
      lastLine: 2,
      rejectedFile: `${file}.rejected.ndjson`,
      finished: true,
      seconds: expect.any(Number),
    });
  });

  test('programs set names what changed, and programs show what is on record', async () => {
    const file = join(folder, 'programs.json');
    await writeFile(file, JSON.stringify({ quay: { name: 'Quay', letterhead: { name: 'Quay Bank' } } }));
    expect(await resultOf(['programs', 'set'], [file])).toMatchObject({
      status: 0,
      result: {
        new: ['quay'],
        updated: [],
        unchanged: [],
      },
    });
    const { status, result } = await resultOf(['programs', 'show'], ['--program', 'quay']);
    expect([status, result.programs]).toMatchObject([
      0,
      [{ programId: 'quay', letterhead: { name: 'Quay Bank', addressLines: [], telephone: null }, payer: null }],
    ]);
  });

  test('statements close counts', async () => {
    const { status, result } = await resultOf(['statements', 'close'], ['--month', '2024-03', '--program', 'harbor']);
    expect([status, result]).toMatchObject([
      0,
      { kind: 'close', period: '2024-03', program: 'harbor', accounts: 1, issued: 1, leftOut: 0, finished: true },
    ]);
  });

  test('statements 1099 tells accounts that were left out', async () => {
    await gateway.given.programRecord('inland');
    const inland = await gateway.given.account({ program: 'inland' });
    await post(gateway, inland, [{ at: '2023-03-05', amount: '10.00', type: 'INTEREST' }]);
    await gateway.sql.query('DELETE FROM account_owner WHERE account_id = $1', [inland.account]);
    const { status, result } = await resultOf(['statements', '1099'], ['--year', '2023', '--program', 'inland']);
    const accountsLeftOut = [{ accountId: inland.account, reasons: ['recipient_unknown'] }];
    expect([status, result]).toMatchObject([
      1,
      { kind: '1099', issued: 0, leftOut: 1, accountsLeftOut, finished: true },
    ]);
  });

  test('events verify tells what is broken', async () => {
    const { status, result } = await resultOf(['events', 'verify'], []);
    expect([status, result]).toMatchObject([0, { broken: 0, links: [], finished: true }]);
    const cut = await freshDatabase();
    const other = await startTestGateway({ databaseUrl: cut.url });
    const of = await other.given.account();
    await post(other, of, [{ at: '2024-03-05', amount: '10.00', type: 'INTEREST' }]);
    await other.tamper(`UPDATE account_event SET data = '{}'`);
    const changed = await resultOf(['events', 'verify'], [], { ...env, DATABASE_URL: cut.url });
    await other.stop();
    await cut.drop();
    expect(changed).toMatchObject({
      status: 1,
      stderr: `account ${of.account}: event 1 does not match its hash\n`,
      result: { events: 1, broken: 1, links: [{ accountId: of.account, event: 1, problem: 'changed' }] },
    });
  });

  test('keys rotate tells which keys may go', async () => {
    const { status, stderr, result } = await resultOf(['keys', 'rotate'], [], { ...env, FIELD_KEYS: `${NEW},${OLD}` });
    expect(stderr).toBe(
      `Key ${idOf(OLD)} is still needed: 0 seals and 1 digests name it.\n`.repeat(result.needed.length),
    );
    expect([status, result]).toMatchObject([
      0,
      { unreadable: 0, newest: idOf(NEW), finished: true, columns: expect.arrayContaining([]) },
    ]);
    expect([...result.idle, ...result.needed.map(({ id }: { id: string }) => id)]).toEqual([idOf(OLD)]);
    expect(result.columns.find(({ name }: { name: string }) => name === 'customer.sealed')).toEqual({
      name: 'customer.sealed',
      resealed: expect.any(Number),
      current: 0,
      unreadable: 0,
      unreadableRows: [],
    });
  });

  test.each([
    ['a command that there is not', ['improt', '--json'], {}, 2, 'wrong_usage'],
    ['a setting that is wrong', ['migrate', '--json'], { POOL_SIZE: '0' }, 2, 'bad_settings'],
    ['a value that is wrong', ['token', '--program', 'demo', '--ttl', 'x', '--json'], {}, 2, 'wrong_usage'],
    [
      'a database that is away',
      ['migrate', '--json'],
      { DATABASE_URL: 'postgres://a@127.0.0.1:1/b' },
      1,
      'database_unreachable',
    ],
  ])('%s is an object, too', async (_what, args, more, status, code) => {
    const ended = await run(args, { ...env, ...more });
    expect([ended.status, ended.stdout]).toEqual([status, '']);
    expect(JSON.parse(ended.stderr)).toEqual({ error: { code, message: expect.stringMatching(/\.$|--help$/) } });
  });
});
