import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scalarStatement, type ScalarStatement } from '../../../src/platform/database/citus/scalar-statement.js';
import { partsOf as cutStatement } from '../../../src/platform/database/citus/dialect.js';
import { replaced } from '../../../src/platform/database/citus/replaced.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import type pg from 'pg';
import { differsOnCitus } from '../../support/citus-differences.js';
import { testUnless } from '../../support/unless.js';
import { newCard } from '../../support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary, type GivenStatement } from '../../support/given.js';
import { entries, post } from '../../transaction/support/ledger.js';

// The cut statements are plain SQL, so any PostgreSQL tells whether they say the same as the statement over many keys.

interface Asked {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

let gateway: TestGateway;
let accounts: GivenStatement[];
const asked: Asked[] = [];
beforeAll(async () => {
  gateway = await startTestGateway();
  const program = unique('program');
  await gateway.given.programRecord(program);
  accounts = [];
  for (let n = 0; n < 3; n += 1) {
    const of = await gateway.given.account({ program, owners: 2 });
    await gateway.given.beneficiaries(of, 3);
    accounts.push(await gateway.given.statement({ of }));
  }
  const { database } = gateway.gateway.container;
  // A server without distributed tables is not asked for parts, so what is sent outside of transactions is heard here.
  const query = database.query.bind(database);
  database.query = (statement, values) => {
    asked.push({ statement, values: values ?? [] });
    return query(statement, values);
  };
  const queryTogether = database.queryTogether.bind(database);
  database.queryTogether = (statement, values) => {
    asked.push({ statement, values });
    return queryTogether(statement, values);
  };
  const partsOf = database.cluster.partsOf.bind(database.cluster);
  database.cluster.partsOf = (statement, values) => {
    asked.push({ statement, values });
    return partsOf(statement, values);
  };
  await Promise.all(accounts.map(speaks));
});
afterAll(() => gateway.stop());

/** Reads and writes of one account through both doors, those of all accounts at the same time. */
async function speaks(of: GivenStatement): Promise<void> {
  const { account, caller, owners, statement } = of;
  const { rest, graphql } = doors(caller);
  await post(gateway, of, entries(10));
  const path = `/accounts/${account}`;
  const added = await rest.post(`${path}/beneficiaries`, leastBeneficiary(), keyed(unique('key')));
  const changed = `${path}/beneficiaries/${added.body.beneficiaryId}`;
  await rest.patch(changed, { sharePercentage: 7 }, keyed(unique('key')));
  await rest.post('/cards/v1/cards', newCard(account, owners[0] as string), keyed(unique('key')));
  const customer = await gateway.caller({ program: of.program, customerId: owners[1] as string });
  for (const who of [rest, doors(customer).rest]) {
    await Promise.all([
      who.get(path),
      who.get(changed),
      who.get(`${path}/beneficiaries?offset=1&limit=2`),
      who.get(`${path}/transactions?limit=2`),
      who.get(`${path}/transactions?status=POSTED&minAmount=1&startTime=2026-01-01`),
      who.get(`${path}/statements?limit=1`),
      who.get(`${path}/statements/${statement}`),
    ]);
  }
  const { errors } = await graphql(
    `
      query ($account: ID!, $statement: ID!) {
        account(accountId: $account) {
          availableBalance
          owners {
            customerId
            name {
              last
            }
          }
          balances {
            available
          }
          cards {
            cardId
          }
          holds(first: 2) {
            nodes {
              holdId
            }
            totalCount
          }
          beneficiaries(first: 2) {
            totalCount
            nodes {
              beneficiaryId
            }
            pageInfo {
              hasNextPage
            }
          }
          statement(statementId: $statement) {
            description
          }
          statements(first: 1, documentType: STATEMENTS) {
            totalCount
            nodes {
              statementId
            }
          }
          transactions(first: 2, filter: { minAmount: "1" }) {
            totalCount
            nodes {
              transactionId
            }
          }
          last: transactions(last: 2) {
            nodes {
              transactionId
            }
          }
          balanceAt(date: "2026-03-31")
        }
      }
    `,
    { account, statement },
  );
  expect(errors).toBeUndefined();
  await rest.delete(changed, keyed(unique('key')));
}

function doors(token: string) {
  const speaking = gateway.as(token);
  return { rest: speaking.rest, graphql: speaking.graphql.bind(speaking) };
}

/** The rows as texts, in an order of their own: parts are answered one after another. */
async function rowsOf(client: pg.PoolClient, questions: readonly Asked[]): Promise<string[]> {
  await client.query('SAVEPOINT question');
  const rows: unknown[][] = [];
  for (const { statement, values } of questions) {
    const query = { text: statement.text, values: [...values], rowMode: 'array' as const };
    rows.push(...(await client.query<unknown[]>(query)).rows);
  }
  await client.query('ROLLBACK TO question');
  return rows.map(row => JSON.stringify(row)).toSorted();
}

const compared = testUnless(differsOnCitus('wholeStatements'));

compared('a statement that is cut into one for each key gives the rows, and changes, of the whole one', async () => {
  const cut = asked.flatMap(({ statement, values }) => {
    const isOwnForm = replaced(statement) !== null || statement.apart;
    const scalar: ScalarStatement | null = isOwnForm ? null : scalarStatement(statement);
    return scalar ? [{ statement, values, parts: scalar.cut(values) }] : [];
  });
  // Reads of every kind of record, locks, updates and deletions, with several keys at a time among them.
  expect(new Set(cut.map(({ statement }) => statement.text)).size).toBeGreaterThanOrEqual(20);
  expect(cut.some(({ parts }) => parts.length > 1)).toBe(true);
  expect(cut.some(({ parts }) => parts.some(({ statement }) => statement.name.endsWith('/many')))).toBe(true);

  const client = await gateway.sql.connect();
  try {
    // So that both see the same moment.
    await client.query('BEGIN');
    let answered = 0;
    for (const { statement, values, parts } of cut) {
      const whole = await rowsOf(client, [{ statement, values }]);
      const apart = await rowsOf(client, parts).catch((error: Error) => [error.message]);
      expect([statement.name, apart]).toEqual([statement.name, whole]);
      if (whole.length > 0) answered += 1;
    }
    expect(answered).toBeGreaterThan(cut.length / 2);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('what reads ahead what may not be needed is not asked on Citus', () => {
  const ahead = asked.filter(({ statement }) => statement.isAhead);
  expect(ahead.length).toBeGreaterThan(0);
  expect(ahead.flatMap(({ statement, values }) => cutStatement(statement, values))).toEqual([]);
});
