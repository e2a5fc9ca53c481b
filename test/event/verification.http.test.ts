import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newCard } from '../support/card.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { leastBeneficiary, type GivenAccount } from '../support/given.js';
import { pdfOf } from '../support/statement.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;
let of: GivenAccount;
beforeAll(async () => {
  gateway = await startTestGateway({});
  of = await gateway.given.account();
  await everyKindOfEvent();
});
afterAll(() => gateway.stop());

const COLUMNS = [
  'id',
  'occurred_at',
  'program',
  'client_id',
  'subject',
  'request_id',
  'action',
  'account_id',
  'object',
  'data',
  'seq',
  'hash',
] as const;
type Column = (typeof COLUMNS)[number];

/** The tables of events, and the column with the number in the chain. */
const TABLES = { account_event: 'chain_seq', program_event: 'seq', denied_attempt: 'seq' } as const;
type TableName = keyof typeof TABLES;

/** So many values are tried in each column of each event. */
const VALUES_EACH = 3;

/**
 * What commands of every noun leave, in two accounts, and what is denied: with an account, without one, to another
 * program.
 */
async function everyKindOfEvent(): Promise<void> {
  const me = gateway.as(of.caller);
  const account = `/accounts/${of.account}`;
  const { beneficiaryId } = (await me.rest.post(`${account}/beneficiaries`, leastBeneficiary())).body;
  await me.rest.patch(`${account}/beneficiaries/${beneficiaryId}`, { sharePercentage: 3 });
  await me.rest.delete(`${account}/beneficiaries/${beneficiaryId}`);
  const { customer } = await gateway.given.customer({ program: of.program });
  for (const change of ['add', 'remove']) {
    await me.rest.post(`${account}/owners/${change}`, { holders: [{ customerId: customer }] });
  }
  await me.rest.post('/cards/v1/cards', newCard(of.account, of.owners[0] as string));
  await me.raw({
    method: 'POST',
    path: `${account}/statements?statementDate=2026-01-31`,
    body: pdfOf(),
    headers: { 'content-type': 'application/pdf' },
  });
  const other = await gateway.given.account({ program: of.program });
  await gateway.as(other.caller).rest.post(`/accounts/${other.account}/beneficiaries`, leastBeneficiary());

  for (const n of [1, 2]) {
    await me.rest.post('/webhook-endpoints', { url: `https://hooks.example.com/${n}` });
  }
  const stranger = await gateway.caller({ program: gateway.given.program(), clientId: 'stranger' });
  const reader = await gateway.caller({ program: of.program, scopes: ['accounts.read'] });
  for (const token of [stranger, reader]) {
    await gateway.as(token).rest.post(`${account}/beneficiaries`, leastBeneficiary());
  }
  await gateway.as(reader).rest.delete(`/accounts/${unique('none')}/beneficiaries/x`);
  await gateway.as(await gateway.caller({ program: of.program, scopes: [] })).rest.post('/cards/v1/cards', {});
  await gateway.recorded();
}

const text = fc.oneof(
  fc.string().filter(value => !value.includes('\0')),
  fc.constant(null),
  fc.constantFrom('demo', ''),
);
const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }));
const instant = fc.oneof(
  fc.constantFrom('infinity', '-infinity', '4000-01-01 BC', '294276-12-31T23:59:59.999Z'),
  fc.integer({ min: -86_400_000, max: 86_400_000 }).map(ms => new Date(Date.now() + ms).toISOString()),
);
const VALUES: Record<Column, fc.Arbitrary<unknown>> = {
  id: fc.integer({
    min: 1e6,
    max: 2e6,
  }),
  occurred_at: instant,
  program: text,
  client_id: text,
  subject: text,
  request_id: text,
  action: text,
  account_id: text,
  object: text,
  data: fc.oneof(fc.json(), fc.constant(null)).filter(value => !value?.includes('\\u0000')),
  seq: fc.option(number),
  hash: fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)),
    fc.constant(null),
  ),
};

describe.each(Object.keys(TABLES) as TableName[])('of any row of %s', table => {
  let ids: string[];
  beforeAll(async () => {
    expect(await gateway.verified()).toMatchObject({ broken: [], events: { account: 8, program: 2, denied: 4 } });
    // Whoever has all rights removes what stands in the way first.
    const { rows } = await gateway.sql.query(
      `SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND is_nullable = 'NO'`,
      [table],
    );
    await gateway.tamper(
      `CREATE TABLE kept_${table} AS TABLE ${table}`,
      `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`,
      ...rows.map(({ column_name }) => `ALTER TABLE ${table} ALTER ${column_name} DROP NOT NULL`),
    );
    ids = (await gateway.sql.query(`SELECT id FROM ${table} ORDER BY id`)).rows.map(({ id }) => id);
  });
  afterEach(async () => {
    expect((await gateway.verified()).broken).toEqual([]);
  });

  testUnless(differsOnCitus('tampering')).each(
    COLUMNS.filter(column => column !== 'account_id' || table !== 'program_event'),
  )('any other %s is found', async column => {
    const name = column === 'seq' ? TABLES[table] : column;
    for (const [index, value] of fc.sample(VALUES[column], VALUES_EACH * ids.length).entries()) {
      const client = await gateway.sql.connect();
      try {
        await client.query("SET session_replication_role = 'replica'");
        await client.query(`UPDATE ${table} SET ${name} = $2 WHERE id = $1`, [ids[index % ids.length], value]);
        const { rowCount: changed } = await client.query(`TABLE ${table} EXCEPT TABLE kept_${table}`);
        const found = (await gateway.verified()).broken.length > 0;
        expect({ index, value, found }).toEqual({ index, value, found: changed !== 0 });
      } finally {
        await client.query(
          `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}; RESET session_replication_role`,
        );
        client.release();
      }
    }
  });
});

describe('the end of its chain that an account names', () => {
  test.each([
    ['lost', `event_seq = 0, event_hash = ''`],
    ['of an event that never was', `event_seq = event_seq + 1`],
    ['of the event before', `event_seq = event_seq - 1`],
    ['forged', `event_hash = sha256(event_hash)`],
  ])('is found if it is %s', async (_what, change) => {
    const client = await gateway.sql.connect();
    try {
      await client.query('CREATE TEMP TABLE ends AS SELECT account_id, event_seq, event_hash FROM account');
      await client.query(`UPDATE account SET ${change} WHERE account_id = $1`, [of.account]);
      expect((await gateway.verified()).broken).toEqual([{ kind: 'account', of: of.account, seq: 7, problem: 'end' }]);
      const { body } = await gateway.as(of.caller).rest.get(`/accounts/${of.account}/event-chain`);
      expect(body).toMatchObject({ intact: false });
    } finally {
      await client.query(
        'UPDATE account a SET event_seq = e.event_seq, event_hash = e.event_hash FROM ends e WHERE e.account_id = a.account_id',
      );
      client.release(true);
    }
    expect((await gateway.verified()).broken).toEqual([]);
  });

  test('is always its last event, whatever commands come in whatever groups', async () => {
    const accounts = await Promise.all([1, 2, 3, 4].map(() => gateway.given.account({ program: of.program })));
    const commands = fc.array(
      fc.record({ account: fc.nat(3), kind: fc.constantFrom('add', 'update', 'refused', 'two') }),
      {
        minLength: 1,
        maxLength: 25,
      },
    );
    await fc.assert(
      fc.asyncProperty(commands, async given => {
        await Promise.all(
          given.map(async ({ account, kind }) => {
            const { account: id, caller, owners } = accounts[account] as GivenAccount;
            const { rest } = gateway.as(caller);
            if (kind === 'add') await rest.post(`/accounts/${id}/beneficiaries`, leastBeneficiary());
            else if (kind === 'update') await rest.patch(`/accounts/${id}`, { accountType: 'SAVINGS' });
            else if (kind === 'refused') await rest.delete(`/accounts/${id}/beneficiaries/${randomUUID()}`);
            else await rest.post('/cards/v1/cards', newCard(id, owners[0] as string));
          }),
        );
        expect((await gateway.verified()).broken).toEqual([]);
      }),
      { numRuns: rounds(20) },
    );
    // Closing an account closes its cards, so one transaction adds several events to one chain.
    for (const { account, caller } of accounts) {
      await gateway.as(caller).rest.post(`/accounts/${account}/close`, { reason: 'done' });
    }
    expect((await gateway.verified()).broken).toEqual([]);
  });
});

test.each([
  ['at the beginning', 1, 'missing'],
  ['in the middle', 2, 'missing'],
])('a denied attempt less %s is found', async (_where, lacking, problem) => {
  await gateway.tamper(
    'CREATE TABLE removed AS TABLE denied_attempt',
    `DELETE FROM denied_attempt WHERE seq = ${lacking}`,
  );
  const { broken } = await gateway.verified();
  await gateway.tamper(
    'DELETE FROM denied_attempt',
    'INSERT INTO denied_attempt SELECT * FROM removed',
    'DROP TABLE removed',
  );
  expect(broken).toContainEqual({ kind: 'denied', of: of.program, seq: lacking + 1, problem });
});
