import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pinHmac, type PinVerification } from '../../src/bank/card/card.vault.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { differsOnCitus, UNLESS_ON_CITUS } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { newCard } from '../support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { newBeneficiary, type GivenAccount } from '../support/given.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { onCitus } from '../support/server-nodes.js';
import { until } from '../support/until.js';
import { begin, run } from './command-line.js';
import { idOf, importCustomers, sealsUnder } from './sealed.js';
import { customerRecord, importing } from './importing.js';
import type * as Inside from './keys.inside.js';

const OLD = KeyRing.generate();
const NEW = KeyRing.generate();
const OLD_ID = idOf(OLD);
/** SHA-256 without a key, and documents: the key of each is what is sealed. */
const BYTES_WITHOUT_KEY = [
  'account.event_hash',
  'account_event.hash',
  'denied_attempt.hash',
  'dpop_proof.proof_hash',
  'event.hash',
  'program_event.hash',
  'approval.key_hash',
  'console_session.secret_hash',
  'idempotency_key.key_hash',
  'statement.sha256',
  'statement.content',
  'statement.pdf',
  // It stays with the database: cursors are good for ever.
  'feed_state.cursor_key',
  // On Citus: it is rotated with the digest of the card.
  ...(onCitus ? ['card_number.number_digest'] : []),
];
/** How long a statement waits for a lock on a node (`migrations/citus`). */
const LOCK_TIMEOUT_MS = 2000;
/** Some batches. */
const CUSTOMERS = 2000;

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;
let gateway: TestGateway | undefined;
beforeEach(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-keys-'));
  env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS: `${NEW},${OLD}` };
});
afterEach(async () => {
  await stopServing();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Stops the gateway that serves, and starts one with this ring on the same data. */
async function serveWith(fieldKeys: string): Promise<TestGateway> {
  await stopServing();
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys });
  return gateway;
}

async function stopServing(): Promise<void> {
  const serving = gateway;
  gateway = undefined;
  await serving?.stop();
}

const ACCOUNT = `query ($id: ID!) { account(accountId: $id) { owners { governmentId contact { email } }
  beneficiaries { nodes { beneficiaryId dateOfBirth } } } }`;

/** An account with owner and beneficiaries, and a write of each whose outcome is on record. */
async function givenSealed(count: number) {
  const { given, as } = client();
  const accounts: { of: GivenAccount; key: string; input: object; answer: string; email: string; path: string }[] = [];
  for (let index = 0; index < count; index++) {
    const owner = await given.customer({ program: 'demo' });
    const of = await given.account({ program: 'demo', owners: [owner.customer] });
    const [key, input] = [unique('key'), newBeneficiary()];
    const path = `/accounts/${of.account}/beneficiaries`;
    const { status, text } = await as(of.caller).rest.post(path, input, keyed(key));
    expect(status).toBe(201);
    accounts.push({ of, key, input, answer: text, email: owner.email, path });
  }
  return accounts;
}

function client() {
  const serving = gateway as TestGateway;
  return { given: serving.given, as: serving.as.bind(serving) };
}

test('keys generate prints an entry for FIELD_KEYS, another one each time, and needs no setting', async () => {
  const [one, two] = [await run(['keys', 'generate'], {}), await run(['keys', 'generate'], {})];
  expect(one).toMatchObject({ status: 0, stderr: '' });
  expect(one.stdout).toMatch(/^k[0-9a-f]{12}:[A-Za-z0-9+/]{43}=\n$/);
  expect(one.stdout).not.toBe(two.stdout);
  expect(() => KeyRing.parse(`${one.stdout.trim()},${two.stdout.trim()}`)).not.toThrow();
});

test('cards get keys of their own, and keep them apart from those of persons', async () => {
  await serveWith(OLD);
  const { given, as } = client();
  const customer = await given.customer({ program: 'demo' });
  const of = await given.account({ program: 'demo', owners: [customer.customer] });
  const card = newCard(of.account, customer.customer);
  const created = await as(of.caller).rest.post('/cards/v1/cards', card);
  expect(created.status).toBe(201);
  const CARD = KeyRing.generate();
  const ringOf = async (column: string): Promise<string[]> => {
    const { rows } = await (gateway as TestGateway).sql.query<{ id: string }>(
      `SELECT DISTINCT convert_from(substring(${column} FROM 3 FOR get_byte(${column}, 1)), 'UTF8') AS id
       FROM ${column.startsWith('sealed_number') ? 'card' : 'customer'}`,
    );
    return rows.map(({ id }) => id);
  };
  const rotated = await run(['keys', 'rotate', '--json'], { ...env, FIELD_KEYS: OLD, CARD_KEYS: CARD });
  expect(rotated).toMatchObject({ status: 1 });
  expect(rotated.stderr).toContain(`lacks the key ${idOf(CARD)}`);

  await stopServing();
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: OLD, cardKeys: CARD });
  const done = await run(['keys', 'rotate', '--json'], { ...env, FIELD_KEYS: OLD, CARD_KEYS: CARD });
  expect(done).toMatchObject({ status: 0, stderr: '' });
  expect(JSON.parse(done.stdout)).toMatchObject({
    newest: OLD_ID,
    newestForCards: idOf(CARD),
    idle: [],
    needed: [],
    finished: true,
  });
  expect(await ringOf('sealed_number')).toEqual([idOf(CARD)]);
  expect(await ringOf('sealed')).toEqual([OLD_ID]);
  // The number is still known, by the digest under the new key.
  const same = newCard(of.account, customer.customer, { number: card.number, last4: card.last4 });
  const caller = await gateway.caller({ program: 'demo' });
  expect((await gateway.as(caller).rest.post('/cards/v1/cards', same)).status).toBe(409);
});

test('whatever the tables keep as bytes is rotated, or is known to need no key', async () => {
  const { sql } = await serveWith(OLD);
  const { rows } = await sql.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'bytea' ORDER BY 1`,
  );
  const rotated = await (gateway as TestGateway).module<typeof Inside>('test/cli/keys').rotatedColumns();
  expect(rows.map(({ name }) => name)).toEqual([...rotated, ...BYTES_WITHOUT_KEY].sort());
});

describe('keys rotate', () => {
  test('gives people the digests of their contacts that they lack, and renews those of all', async () => {
    const { sql } = await serveWith(OLD);
    const found = async (): Promise<(string | undefined)[]> => {
      const { as } = client();
      const me = as(await (gateway as TestGateway).caller({ program: 'demo' }));
      const texts = ['new@example.test', '312 555 0156', 'before@example.test'];
      const answers = await Promise.all(texts.map(text => me.rest.get(`/search?text=${encodeURIComponent(text)}`)));
      return answers.map(({ body }) => body.hits[0]?.label);
    };
    const { as } = client();
    const operator = as(await (gateway as TestGateway).caller({ program: 'demo' }));
    for (const [last, email] of [
      ['New', 'new@example.test'],
      ['Before', 'before@example.test'],
    ]) {
      const telephones = last === 'New' ? [{ type: 'CELL', country: 'US', number: '+1 312 555 0156' }] : [];
      const sent = { name: { last }, contact: { email: [email], telephones } };
      expect((await operator.rest.post('/customers', sent)).status).toBe(201);
    }
    await operator.rest.post('/customers', { name: { last: 'Without' } });
    await sql.query(`UPDATE customer SET contact_digests = NULL WHERE name_last = 'Before'`);
    expect(await found()).toEqual(['New', 'New', undefined]);

    const first = await run(['keys', 'rotate', '--json'], { ...env, FIELD_KEYS: OLD });
    expect(first.status).toBe(0);
    expect(JSON.parse(first.stdout).columns).toContainEqual(
      expect.objectContaining({ name: 'customer.sealed', resealed: 1, current: 2 }),
    );
    expect(await found()).toEqual(['New', 'New', 'Before']);

    await serveWith(`${NEW},${OLD}`);
    expect(await found()).toEqual(['New', 'New', 'Before']);
    const second = await run(['keys', 'rotate', '--json'], env);
    expect([second.status, JSON.parse(second.stdout).idle]).toEqual([0, [OLD_ID]]);
    expect(await found()).toEqual(['New', 'New', 'Before']);
    await serveWith(NEW);
    expect(await found()).toEqual(['New', 'New', 'Before']);
  });

  test('while GraphQL and REST serve: no request fails, and the new key alone opens everything afterwards', async () => {
    await serveWith(OLD);
    await importCustomers(gateway as TestGateway, CUSTOMERS);
    const accounts = await givenSealed(8);
    await serveWith(`${NEW},${OLD}`);
    const { as } = client();

    let over = false;
    const failed: string[] = [];
    let requests = 0;
    const caller = await (gateway as TestGateway).caller({ program: 'demo' });
    const asking = accounts.map(async ({ of, key, input, answer, email, path }) => {
      const { beneficiaryId } = JSON.parse(answer);
      for (let round = 1; !over; round++) {
        const read = await as(caller).graphql(ACCOUNT, { id: of.account });
        if (read.data?.account?.owners[0].contact.email[0] !== email) failed.push(read.text);
        const replayed = await as(caller).rest.post(path, input, keyed(key));
        if (replayed.text !== answer) failed.push(replayed.text);
        const patch = { dateOfBirth: `19${String(round % 100).padStart(2, '0')}-05-06` };
        const patched = await as(caller).rest.patch(`${path}/${beneficiaryId}`, patch, keyed(unique('patch')));
        if (patched.body.dateOfBirth !== patch.dateOfBirth) failed.push(patched.text);
        const seen = await as(caller).rest.get(`${path}/${beneficiaryId}`);
        if (seen.body.dateOfBirth !== patch.dateOfBirth) failed.push(seen.text);
        requests += 4;
      }
    });
    const ended = await run(['keys', 'rotate'], env);
    over = true;
    await Promise.all(asking);
    expect(failed).toEqual([]);
    expect(requests).toBeGreaterThan(8);
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(ended.stdout).toMatch(
      new RegExp(
        `^(.*: .*\n)*customer\\.sealed: ${CUSTOMERS + 8} resealed, 0 already current, 0 unreadable in .*\nbeneficiary\\.sealed: .*\n(.*: .*\n)*Keys no longer needed: ${OLD_ID}\n$`,
      ),
    );
    expect(Object.keys(await sealsUnder(gateway as TestGateway))).toEqual([idOf(NEW)]);

    const again = await (await serveWith(NEW)).caller({ program: 'demo' });
    for (const { of, key, input, answer, email, path } of accounts) {
      const { data } = await client().as(again).graphql(ACCOUNT, { id: of.account });
      expect(data.account.owners[0].contact.email).toEqual([email]);
      const replayed = await client().as(again).rest.post(path, input, keyed(key));
      expect([replayed.text, replayed.headers['idempotent-replayed']]).toEqual([answer, 'true']);
    }
    expect(await run(['keys', 'rotate'], { ...env, FIELD_KEYS: NEW })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`customer.sealed: 0 resealed, ${CUSTOMERS + 8} already current, 0 unreadable`),
    });
  });

  test('of cards: afterwards the new key alone finds a number again and verifies a PIN', async () => {
    await serveWith(OLD);
    const { given, as } = client();
    const of = await given.account({ program: 'demo' });
    const card = newCard(of.account, of.owners[0] as string, { pin: '846201937542' });
    const { status } = await as(of.caller).rest.post('/cards/v1/cards', card);
    expect(status).toBe(201);
    await serveWith(`${OLD},${NEW}`);
    const { stdout } = await run(['keys', 'rotate'], env);
    expect(stdout).toMatch(/^card\.sealed_number: 1 resealed.*\ncard\.pin_verification: 1 resealed/m);
    expect(stdout).toContain(`Keys no longer needed: ${OLD_ID}\n`);

    const { sql } = await serveWith(NEW);
    const keys = KeyRing.parse(NEW);
    const { rows } = await sql.query('SELECT sealed_number, pin_verification FROM card');
    expect(keys.open(`card/${of.account}/${card.cardId}`, rows[0].sealed_number)).toBe(card.number);
    const pin = keys.open<PinVerification>(`card/${of.account}/${card.cardId}/pin`, rows[0].pin_verification);
    expect(pin.hmac).toBe(pinHmac(pin.salt, '846201937542'));
    const again = newCard(of.account, of.owners[0] as string, { number: card.number, last4: card.last4 });
    const caller = await (gateway as TestGateway).caller({ program: 'demo' });
    const refused = await client().as(caller).rest.post('/cards/v1/cards', again);
    expect([refused.status, refused.body.code]).toEqual([409, 'card_exists']);
  });

  test('of documents: afterwards the new key alone opens them, and they are the same', async () => {
    await serveWith(OLD);
    const { given, as } = client();
    const of = await given.statement({ of: await given.account({ program: 'demo' }) });
    const before = await as(of.caller).raw({ path: of.path });
    expect(before.status).toBe(200);
    await serveWith(`${OLD},${NEW}`);
    const { stdout } = await run(['keys', 'rotate'], env);
    expect(stdout).toMatch(/^statement\.sealed_key: 1 resealed/m);
    expect(stdout).toContain(`Keys no longer needed: ${OLD_ID}\n`);
    const caller = await (await serveWith(NEW)).caller({ program: 'demo' });
    const after = await client().as(caller).raw({ path: of.path });
    expect(after.bytes.equals(before.bytes)).toBe(true);
  });

  testUnless(UNLESS_ON_CITUS)('on Citus, when others let go of the customers', async () => {
    await serveWith(`${OLD},${NEW}`);
    await importCustomers(gateway as TestGateway, 3);
    const holder = await (gateway as TestGateway).sql.connect();
    await holder.query('BEGIN');
    await holder.query(
      'SELECT FROM customer WHERE customer_id = (SELECT min(customer_id::text)::uuid FROM customer) FOR UPDATE',
    );
    const { ended } = begin(['keys', 'rotate'], env);
    // Longer than a statement waits for a lock there.
    for (let look = 0; look < 2; look++) {
      await (gateway as TestGateway).waiting();
      await sleep(LOCK_TIMEOUT_MS);
    }
    expect(await sealsUnder(gateway as TestGateway)).toEqual({ [OLD_ID]: 3 });
    await holder.query('ROLLBACK');
    holder.release();
    expect(await ended).toMatchObject({ status: 0, stdout: expect.stringContaining('customer.sealed: 3 resealed') });
    expect(await sealsUnder(gateway as TestGateway)).toEqual({ [idOf(NEW)]: 3 });
  });

  testUnless(UNLESS_ON_CITUS)('on Citus, of one key for two accounts', async () => {
    await serveWith(OLD);
    const { as, given } = client();
    const [one, other] = [await given.account({ program: 'demo' }), await given.account({ program: 'demo' })];
    const [key, input] = [keyed(unique('key')), newBeneficiary()];
    const add = (caller: string, { account }: GivenAccount) =>
      as(caller).rest.post(`/accounts/${account}/beneficiaries`, input, key);
    const [first, second] = [await add(one.caller, one), await add(one.caller, other)];
    expect([first.status, second.status]).toEqual([201, 201]);
    await serveWith(`${OLD},${NEW}`);
    const { stdout } = await run(['keys', 'rotate'], env);
    expect(stdout).toContain('idempotency_key.outcome: 2 resealed, 0 already current, 0 unreadable');
    expect(Object.keys(await sealsUnder(gateway as TestGateway))).toEqual([idOf(NEW)]);
  });

  testUnless(differsOnCitus('heldRows')).each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ended by %s, and started again, does the rest', async (name, status) => {
    await serveWith(`${OLD},${NEW}`);
    await importCustomers(gateway as TestGateway, CUSTOMERS);
    // A row that somebody holds keeps the rotation in its batch, so that the signal comes in the middle.
    const holder = await (gateway as TestGateway).sql.connect();
    await holder.query('BEGIN');
    await holder.query(
      'SELECT FROM customer WHERE customer_id = (SELECT customer_id FROM customer ORDER BY 1 OFFSET 1200 LIMIT 1) FOR UPDATE',
    );
    const { ended, signal } = begin(['keys', 'rotate'], env);
    await until(async () => ((await sealsUnder(gateway as TestGateway))[idOf(NEW)] ?? 0) >= 1499);
    await signal(name);
    const stopped = await ended;
    await holder.query('ROLLBACK');
    holder.release();
    expect(stopped.status).toBe(status);
    expect(stopped.stdout).toContain('customer.sealed: 1499 resealed, 0 already current');
    expect(stopped.stderr).toMatch(/^The rotation was stopped\. .*\n$/);
    expect(stopped.stdout).not.toContain('no longer needed');
    expect(await sealsUnder(gateway as TestGateway)).toEqual({
      [idOf(NEW)]: 1499,
      [OLD_ID]: CUSTOMERS - 1499,
    });

    const again = await run(['keys', 'rotate'], env);
    expect(again).toMatchObject({ status: 0, stderr: '' });
    expect(again.stdout).toContain(`customer.sealed: ${CUSTOMERS - 1499} resealed, 1499 already current, 0 unreadable`);
    expect(again.stdout).toContain(`Keys no longer needed: ${OLD_ID}\n`);
    expect(await sealsUnder(gateway as TestGateway)).toEqual({ [idOf(NEW)]: CUSTOMERS });
  });

  test('tells rows that it cannot open by table and primary key, does the others, and ends with status 1', async () => {
    const started = await serveWith(`${OLD},${NEW}`);
    const { sql } = started;
    const [account] = await givenSealed(1);
    const { beneficiaryId } = JSON.parse(account?.answer ?? '');
    const [foreign, swapped] = [randomUUID(), randomUUID()];
    await importCustomers(gateway as TestGateway, 3);
    await importing(started, 'customers', 'demo', [
      customerRecord({ customerId: foreign }),
      customerRecord({ customerId: swapped }),
    ]);
    const gone = KeyRing.generate();
    await sql.query('UPDATE customer SET sealed = $2 WHERE customer_id = $1', [
      foreign,
      KeyRing.parse(gone).seal(`customer/${foreign}`, {}),
    ]);
    await sql.query('UPDATE beneficiary SET sealed = (SELECT sealed FROM customer WHERE customer_id = $1)', [swapped]);
    const { status, stdout, stderr } = await run(['keys', 'rotate'], env);
    expect(status).toBe(1);
    expect(stdout).toMatch(/customer\.sealed: 5 resealed, 0 already current, 1 unreadable .*\n/);
    expect(stdout).toMatch(/beneficiary\.sealed: 0 resealed, 0 already current, 1 unreadable .*\n/);
    expect(stdout).toMatch(/idempotency_key\.outcome: 1 resealed, 0 already current, 0 unreadable .*\n/);
    expect(stdout).not.toContain('no longer needed');
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      `customer ${foreign}: sealed needs a key that is not in FIELD_KEYS`,
      `beneficiary ${account?.of.account} ${beneficiaryId}: sealed cannot be decrypted`,
      expect.stringMatching(/^Key \w+ is (still needed|missing from the settings): 1 seals and \d digests name it\.$/),
      expect.stringMatching(/^Key \w+ is (still needed|missing from the settings): 1 seals and \d digests name it\.$/),
    ]);
    expect(`${stdout}${stderr}`).not.toMatch(/ada@example|Quill|900-00|900004321/);
  });
});

test('of the keys that a process has their ids are told, and nothing after the end', async () => {
  const { sql } = await serveWith(`${OLD},${NEW}`);
  const { rows } = await sql.query('SELECT key_ids, pid FROM key_holder');
  expect(rows).toEqual([{ key_ids: [OLD_ID, idOf(NEW)], pid: expect.any(Number) }]);
  await serveWith(NEW);
  const { rows: after } = await (gateway as TestGateway).sql.query('SELECT key_ids FROM key_holder');
  expect(after).toEqual([{ key_ids: [idOf(NEW)] }]);
});

test('keys rotate --help says how to get a new key into the ring', async () => {
  const { status, stdout } = await run(['keys', 'rotate', '--help'], {});
  expect([status, stdout]).toEqual([0, expect.stringContaining('tillgate keys generate')]);
});
