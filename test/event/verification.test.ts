import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Migration20261123031000_chained_denials as ChainedDenials } from '../../migrations/Migration20261123031000_chained_denials.js';
import { ChainTally, verifyChains } from '../../src/event/event.chain.js';
import { newCard } from '../support/card.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary, type GivenAccount } from '../support/given.js';
import { pdfOf } from '../support/statement.js';

let gateway: TestGateway;
let of: GivenAccount;
beforeAll(async () => {
  gateway = await startTestGateway();
  of = await gateway.given.account();
  await everyKindOfEvent();
});
afterAll(() => gateway.stop());

const COLUMNS = [
  ...['id', 'occurred_at', 'program', 'outcome', 'client_id', 'subject', 'request_id', 'action', 'account_id'],
  ...['object', 'data', 'chain_seq', 'denied_seq', 'hash'],
] as const;
type Column = (typeof COLUMNS)[number];

/** So many values are tried in each column of each event. */
const VALUES_EACH = 3;

/** What commands of every noun leave, in two accounts, and what is denied: with an account, without one, to another program. */
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
    ...{ method: 'POST', path: `${account}/statements?statementDate=2026-01-31`, body: pdfOf() },
    headers: { 'content-type': 'application/pdf' },
  });
  const other = await gateway.given.account({ program: of.program });
  await gateway.as(other.caller).rest.post(`/accounts/${other.account}/beneficiaries`, leastBeneficiary());

  const stranger = await gateway.caller({ program: gateway.given.program(), clientId: 'stranger' });
  const reader = await gateway.caller({ program: of.program, scopes: ['accounts.read'] });
  for (const token of [stranger, reader]) {
    await gateway.as(token).rest.post(`${account}/beneficiaries`, leastBeneficiary());
  }
  await gateway.as(reader).rest.delete(`/accounts/${unique('none')}/beneficiaries/x`);
  await gateway.as(await gateway.caller({ program: of.program, scopes: [] })).rest.post('/cards/v1/cards', {});
  await gateway.recorded();
}

async function verified(): Promise<ChainTally> {
  const tally = new ChainTally();
  await verifyChains(gateway.gateway.container.database, tally, [], new AbortController().signal);
  return tally;
}

/** What only somebody with all rights on the database can do. */
async function tamper(...statements: string[]): Promise<void> {
  await gateway.sql.query(
    ["SET session_replication_role = 'replica'", ...statements, 'RESET session_replication_role'].join('; '),
  );
}

const text = fc.oneof(
  fc.string().filter(value => !value.includes('\0')),
  fc.constant(null),
  fc.constantFrom('DONE', 'DENIED', 'demo', ''),
);
const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }));
const instant = fc.oneof(
  fc.constantFrom('infinity', '-infinity', '4000-01-01 BC', '294276-12-31T23:59:59.999Z'),
  fc.integer({ min: -86_400_000, max: 86_400_000 }).map(ms => new Date(Date.now() + ms).toISOString()),
);
const VALUES: Record<Column, fc.Arbitrary<unknown>> = {
  id: fc.integer({ min: 1_000_000, max: 2_000_000 }),
  occurred_at: instant,
  ...{ program: text, outcome: text, client_id: text, subject: text, request_id: text, action: text },
  ...{ account_id: text, object: text },
  data: fc.oneof(fc.json(), fc.constant(null)).filter(value => !value?.includes('\\u0000')),
  chain_seq: fc.option(number),
  denied_seq: fc.option(number),
  hash: fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)),
    fc.constant(null),
  ),
};

describe('of an event of any kind', () => {
  let events: { id: string; action: string; outcome: string }[];
  beforeAll(async () => {
    expect(await verified()).toMatchObject({ broken: [], events: { account: 8, denied: 4 } });
    // Whoever has all rights removes what stands in the way first.
    await tamper(
      'CREATE TABLE kept AS TABLE event',
      ...['event_chained', 'event_account_id_chain_seq_unique'].map(
        name => `ALTER TABLE event DROP CONSTRAINT ${name}`,
      ),
      'DROP INDEX event_program_denied_seq_unique',
      ...COLUMNS.filter(column => column !== 'id').map(column => `ALTER TABLE event ALTER ${column} DROP NOT NULL`),
    );
    events = (await gateway.sql.query('SELECT id, action, outcome FROM kept ORDER BY id')).rows;
  });
  afterEach(async () => {
    expect((await verified()).broken).toEqual([]);
  });

  test.each(COLUMNS)('any other %s is found', async column => {
    const values = fc.sample(VALUES[column], VALUES_EACH * events.length);
    for (const [index, value] of values.entries()) {
      const { id, action, outcome } = events[index % events.length] as (typeof events)[number];
      const client = await gateway.sql.connect();
      try {
        await client.query("SET session_replication_role = 'replica'");
        await client.query(`UPDATE event SET ${column} = $2 WHERE id = $1`, [id, value]);
        const { rowCount: changed } = await client.query('TABLE event EXCEPT TABLE kept');
        const found = (await verified()).broken.length > 0;
        expect({ action, outcome, value, found }).toEqual({ action, outcome, value, found: changed !== 0 });
      } finally {
        await client.query('DELETE FROM event; INSERT INTO event SELECT * FROM kept; RESET session_replication_role');
        client.release();
      }
    }
  });
});

test.each([
  ['at the beginning', 1, 'missing'],
  ['in the middle', 2, 'missing'],
])('a denied attempt less %s is found', async (_where, lacking, problem) => {
  await tamper('CREATE TABLE removed AS TABLE event', `DELETE FROM event WHERE denied_seq = ${lacking}`);
  const { broken } = await verified();
  await tamper('DELETE FROM event', 'INSERT INTO event SELECT * FROM removed', 'DROP TABLE removed');
  expect(broken).toContainEqual({ kind: 'denied', of: of.program, seq: lacking + 1, problem });
});

test('what was recorded before verifies, and what was denied before is in a chain from then on', async () => {
  const other = await startTestGateway();
  const { sql } = other;
  const statements = async (way: 'up' | 'down') => {
    const migration = new ChainedDenials(null as never, null as never);
    await migration[way]();
    for (const statement of migration.getQueries()) await sql.query(statement as string);
  };
  const deny = (program: string) =>
    sql.query(
      `INSERT INTO event (program, outcome, client_id, subject, request_id, action, account_id, data)
       VALUES ($1, 'DENIED', 'c', 's', 'r', 'card.create', NULL, '{}')`,
      [program],
    );
  const { account, caller } = await other.given.account();
  const add = () => other.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());

  await statements('down');
  await add();
  for (const program of ['one', 'two', 'one']) await deny(program);
  const { rows } = await sql.query('SELECT hash FROM event ORDER BY id');
  expect(rows.map(({ hash }) => hash === null)).toEqual([false, true, true, true]);
  await statements('up');

  // The release before this one records with the very same statement.
  await deny('one');
  await add();
  const tally = new ChainTally();
  await verifyChains(other.gateway.container.database, tally, [], new AbortController().signal);
  expect(tally).toMatchObject({ broken: [], events: { account: 2, denied: 4 } });
  expect(tally.heads.all().map(({ kind, of: what, seq }) => [kind, what, seq])).toEqual([
    ['account', account, 2],
    ['denied', 'one', 3],
    ['denied', 'two', 1],
  ]);
  await other.stop();
});
