import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { deleteExpiredKeys } from '../../../src/platform/command/sweep.js';
import { keyed, startGatewayInside, unique, type GatewayInThisProcess } from '../../support/gateway-inside.js';
import { onCitus } from '../../support/server-nodes.js';
import { leastBeneficiary, newBeneficiary, type GivenAccount } from '../../support/given.js';

let gateway: GatewayInThisProcess;
beforeAll(async () => {
  gateway = await startGatewayInside();
});
afterAll(() => gateway.stop());

const input = newBeneficiary();

/** One write under one key, as often as it is called. */
async function oneWrite() {
  const given = await gateway.given.account();
  const key = unique('key');
  const send = () => gateway.as(given.caller).rest.post(`/accounts/${given.account}/beneficiaries`, input, keyed(key));
  const keyHash = gateway.gateway.container.records.hashOf(
    { program: given.program, clientId: 'test-client', subject: 'test-client' } as never,
    { key, place: null },
  );
  const count = async () =>
    (await gateway.as(given.caller).rest.get(`/accounts/${given.account}/beneficiaries`)).body.page
      .totalElements as number;
  return { ...given, key, keyHash, send, count };
}

/** Writes a key and keeps its transaction open. On Citus it is with the account. */
async function claimKey(client: pg.PoolClient, keyHash: Buffer, program: string, account: string): Promise<void> {
  const [column, value] = onCitus ? ['account_id, ', '$3, '] : ['', ''];
  await client.query(
    `INSERT INTO idempotency_key (${column}key_hash, program, outcome, expires_at) VALUES (${value}$1, $2, '', now() + interval '1 day')`,
    [keyHash, program, ...(onCitus ? [account] : [])],
  );
}

describe('a key whose time is over by the clock of the database', () => {
  test('is free again', async () => {
    const { send, keyHash, count } = await oneWrite();
    const first = await send();
    await gateway.sql.query(`UPDATE idempotency_key SET expires_at = now() - interval '1 ms' WHERE key_hash = $1`, [
      keyHash,
    ]);
    const second = await send();
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(second.body.beneficiaryId).not.toBe(first.body.beneficiaryId);
    const third = await send();
    expect([third.text, third.headers['idempotent-replayed'], await count()]).toEqual([second.text, 'true', 2]);
    const { rows } = await gateway.sql.query(
      `SELECT expires_at - now() BETWEEN '29 days 23 hours' AND '30 days' AS right FROM idempotency_key WHERE key_hash = $1`,
      [keyHash],
    );
    expect(rows).toEqual([{ right: true }]);
  });

  test('is free for one of many at once', async () => {
    const { send, keyHash, count } = await oneWrite();
    await send();
    await gateway.sql.query(`UPDATE idempotency_key SET expires_at = now() WHERE key_hash = $1`, [keyHash]);
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await count()).toBe(2);
  });

  test('is swept away in batches, and no other', async () => {
    const { send, keyHash } = await oneWrite();
    await send();
    await gateway.sql.query(
      `INSERT INTO idempotency_key (key_hash, program, outcome, expires_at) SELECT sha256(n::text::bytea), 'swept', '', now() - n * interval '1 second' FROM generate_series(1, 2500) n`,
    );
    // What another transaction holds is left for the next time.
    const held = await gateway.sql.connect();
    await held.query('BEGIN');
    const ofNoAccount = onCitus ? `AND account_id = ''` : '';
    await held.query(`SELECT FROM idempotency_key WHERE key_hash = sha256('7') ${ofNoAccount} FOR UPDATE`);
    expect(await deleteExpiredKeys(gateway.gateway.container.database)).toBe(2499);
    await held.query('COMMIT');
    held.release();
    expect(await deleteExpiredKeys(gateway.gateway.container.database)).toBe(1);
    expect(await deleteExpiredKeys(gateway.gateway.container.database)).toBe(0);
    expect((await gateway.sql.query('SELECT FROM idempotency_key WHERE key_hash = $1', [keyHash])).rowCount).toBe(1);
  });
});

describe('a first request that still runs elsewhere', () => {
  test('is waited for, then the retry is told to come again, and later done once', async () => {
    const { send, account, keyHash, program, count } = await oneWrite();
    const elsewhere = await gateway.sql.connect();
    await elsewhere.query('BEGIN');
    await claimKey(elsewhere, keyHash, program, account);
    const answers = await Promise.all([send(), send(), send()]);
    for (const { status, headers, body } of answers) {
      expect([status, body.code, headers['retry-after'], headers['idempotent-replayed']]).toEqual([
        409,
        'idempotency_in_progress',
        '1',
        undefined,
      ]);
    }
    await elsewhere.query('ROLLBACK');
    elsewhere.release();
    const done = await send();
    expect([done.status, await count()]).toEqual([201, 1]);
    expect((await send()).text).toBe(done.text);
  });

  test('says so over GraphQL too', async () => {
    const { account, caller, key, keyHash, program } = await oneWrite();
    const elsewhere = await gateway.sql.connect();
    await elsewhere.query('BEGIN');
    await claimKey(elsewhere, keyHash, program, account);
    const { errors, headers } = await gateway
      .as(caller)
      .graphql(
        `mutation { deleteBeneficiary(input: { accountId: "${account}", beneficiaryId: "${randomUUID()}" }) { beneficiary { beneficiaryId } } }`,
        {},
        { headers: keyed(key) },
      );
    expect([errors?.[0].extensions.code, headers['retry-after']]).toEqual(['IDEMPOTENCY_IN_PROGRESS', '1']);
    await elsewhere.query('ROLLBACK');
    elsewhere.release();
  });

  test('in this process is waited for, and its result is the answer', async () => {
    const { send, account, count } = await oneWrite();
    const unlock = await gateway.lockAccount(account);
    const first = send();
    await gateway.waiting();
    const retries = [send(), send()];
    await unlock();
    const [done, ...again] = await Promise.all([first, ...retries]);
    expect(again.map(({ text }) => text)).toEqual([done?.text, done?.text]);
    expect(await count()).toBe(1);
  });
});

describe('a crash', () => {
  test('between the work and the commit leaves nothing, and the retry does it once', async () => {
    const { send, keyHash, account, count } = await oneWrite();
    const before = await gateway.rows();
    // The event is the last thing that is written before the key's own record: what waits there, since somebody else
    // records the first event of the account, has done its work.
    const blocker = await gateway.sql.connect();
    await blocker.query('BEGIN');
    await blocker.query(
      `INSERT INTO account_event (account_id, chain_seq, id, occurred_at, program, client_id, subject, request_id, action, object, data, hash)
       VALUES ($1, 1, 0, now(), '', '', '', '', '', '', '{}', '')`,
      [account],
    );
    const crashing = send();
    await gateway.end(await gateway.waiting());
    const crashed = await crashing;
    expect([crashed.status, crashed.body.code, crashed.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
    await blocker.query('ROLLBACK');
    blocker.release();
    expect(await gateway.rows()).toEqual(before);

    const done = await send();
    expect([done.status, done.headers['idempotent-replayed'], await count()]).toEqual([201, undefined, 1]);
    expect((await send()).text).toBe(done.text);
    const { rows } = await gateway.sql.query('SELECT action FROM event WHERE account_id = $1', [account]);
    expect(rows).toEqual([{ action: 'beneficiary.add' }]);
    expect((await gateway.sql.query('SELECT FROM idempotency_key WHERE key_hash = $1', [keyHash])).rowCount).toBe(1);
  });

  test('of many connections at once costs the pool nothing', async () => {
    const given = await Promise.all(Array.from({ length: 8 }, () => gateway.given.account()));
    const [{ account, caller }] = given as [GivenAccount];
    const unlock = await gateway.lockAccount(...given.map(one => one.account));
    const writes = given.map(one =>
      gateway.as(one.caller).rest.post(`/accounts/${one.account}/beneficiaries`, input, keyed(unique('key'))),
    );
    await gateway.end(await gateway.waiting(8));
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 503));
    await unlock();
    const again = await Promise.all(
      Array.from({ length: 20 }, () =>
        gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary()),
      ),
    );
    expect(again.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
  });
});

test('commands on two accounts and the same customers, in both orders at once, are all done', async () => {
  const program = gateway.given.program();
  const [one, two] = [await gateway.given.account({ program }), await gateway.given.account({ program })];
  const swaps = Array.from({ length: 10 }, (_, index) => {
    const [from, to] = index % 2 ? [one, two] : [two, one];
    return gateway
      .as(from.caller)
      .graphql(
        `mutation ($a: ID!, $b: ID!, $ids: [ID!]!) { addAccountOwners(input: { accountId: $a, customerIds: $ids }) { results { ownerStatus } } removeAccountOwners(input: { accountId: $b, customerIds: $ids }) { results { ownerStatus } } }`,
        { a: from.account, b: to.account, ids: [...one.owners, ...two.owners] },
        { headers: keyed(unique('key')) },
      );
  });
  for (const { errors } of await Promise.all(swaps)) expect(errors).toBeUndefined();
});

test('what is kept of commands holds nothing personal in the clear', async () => {
  const { account, caller, program } = await gateway.given.account();
  const canaries = [
    'CanaryFirst',
    'CanaryLast',
    '987650123',
    'Canary Street',
    'CanaryCity',
    'canary@mail.example',
    '555-CANARY',
    '1971-07-17',
  ];
  const secret = newBeneficiary({
    name: {
      first: 'CanaryFirst',
      last: 'CanaryLast',
    },
    taxId: '987650123',
    dateOfBirth: '1971-07-17',
    emails: [
      {
        type: 'HOME',
        email: 'canary@mail.example',
      },
    ],
    addresses: [
      {
        line1: 'Canary Street',
        city: 'CanaryCity',
        country: 'US',
        type: 'HOME',
      },
    ],
    phones: [
      {
        type: 'HOME',
        number: '555-CANARY',
      },
    ],
  });
  const key = 'canary-key-of-jane@mail.example';
  const { customer, governmentId, taxId, email } = await gateway.given.customer({ program });
  const added = await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, secret, keyed(key));
  const path = `/accounts/${account}/beneficiaries/${added.body.beneficiaryId}`;
  await gateway.as(caller).rest.patch(path, { ...secret, sharePercentage: 3 }, keyed(`${key}:2`));
  await gateway.as(caller).rest.delete(path, keyed(`${key}:3`));
  await gateway
    .as(caller)
    .rest.post(`/accounts/${account}/owners/add`, { holders: [{ customerId: customer }] }, keyed(`${key}:4`));

  const { rows } = await gateway.sql.query<{ row: string; bytes: Buffer }>(
    `SELECT e::text AS row, convert_to(e::text, 'UTF8') AS bytes FROM event e WHERE account_id = $1
     UNION ALL SELECT k::text, k.key_hash || k.outcome FROM idempotency_key k WHERE program = $2`,
    [account, program],
  );
  expect(rows).toHaveLength(8);
  const hex = (text: string) => Buffer.from(text).toString('hex');
  for (const canary of [...canaries, key, governmentId, taxId, email, taxId.slice(-4) + '"', '*****']) {
    for (const { row, bytes } of rows) {
      expect(row.includes(canary) || row.includes(hex(canary)) || bytes.includes(canary)).toBe(false);
    }
    if (canary !== '*****') expect(gateway.log.join('')).not.toContain(canary);
  }
  // Nor is it in the other tables, but for the names.
  const { rows: others } = await gateway.sql.query<{ row: string }>(
    'SELECT c::text AS row FROM customer c WHERE customer_id = $1',
    [customer],
  );
  for (const canary of [governmentId, taxId, email, hex(email)]) expect(others[0]?.row).not.toContain(canary);
});
