import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { differsOnCitus, isAsElsewhere } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { expectSound, postSome } from './support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Runs a statement as whoever has a connection to the database would, and gives the SQLSTATE of its refusal. */
async function stateOf(statement: string, values: unknown[] = []): Promise<string | undefined> {
  try {
    await gateway.sql.query(statement, values);
    return undefined;
  } catch (error) {
    return (error as pg.DatabaseError).code;
  }
}

const RESTRICT_VIOLATION = '23001';

test.each([
  ['UPDATE transaction SET amount_minor = 1 WHERE account_id = $1'],
  ['UPDATE transaction SET memo = memo WHERE account_id = $1'],
  ...(isAsElsewhere('statementTriggers')
    ? [['UPDATE transaction SET seq = seq + 1 WHERE account_id = $1 AND false']]
    : []),
  ['DELETE FROM transaction WHERE account_id = $1'],
  [
    `MERGE INTO transaction t USING account s ON t.account_id = s.account_id AND t.account_id = $1 WHEN MATCHED THEN UPDATE SET memo = 'x'`,
  ],
  [
    `INSERT INTO transaction (account_id, seq, program, transaction_id, amount_minor, balance_minor, debit_credit_memo, category, transaction_type,
      status, transaction_timestamp, transaction_time, additional_information, line_item)
     SELECT account_id, seq, program, transaction_id, 1, 1, debit_credit_memo, category, transaction_type, status, transaction_timestamp,
       transaction_time, additional_information, line_item FROM transaction WHERE account_id = $1
     ON CONFLICT (account_id, seq) DO UPDATE SET amount_minor = 1`,
  ],
])('the database refuses to change what is on a ledger: %s', async statement => {
  const given = await gateway.given.account();
  await postSome(gateway, given, 3);
  expect(await stateOf(statement, [given.account])).toBe(RESTRICT_VIOLATION);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 3, balance: '3000' });
});

testUnless(differsOnCitus('statementTriggers')).each([
  'TRUNCATE transaction',
  'TRUNCATE account CASCADE',
  'TRUNCATE customer, account_owner, account CASCADE',
])('the database refuses to empty the ledgers: %s', async statement => {
  const given = await gateway.given.account();
  await postSome(gateway, given, 2);
  expect(await stateOf(statement)).toBe(RESTRICT_VIOLATION);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 2 });
});

test('an account with a ledger cannot be deleted, and no number or id is used twice', async () => {
  const given = await gateway.given.account();
  await postSome(gateway, given, 1);
  await gateway.sql.query('DELETE FROM account_owner WHERE account_id = $1', [given.account]);
  expect(await stateOf('DELETE FROM account WHERE account_id = $1', [given.account])).toBe('23503');
  const again = (seq: string, id: string) =>
    `INSERT INTO transaction (account_id, seq, program, transaction_id, amount_minor, balance_minor, debit_credit_memo, category, transaction_type,
      status, transaction_timestamp, transaction_time, additional_information, line_item)
     SELECT account_id, ${seq}, program, ${id}, 1, 1, 'CREDIT', 'ACH', 'FEE', 'POSTED', now(), now(), '[]', '[]' FROM transaction WHERE account_id = $1`;
  expect(await stateOf(again('seq', `'other'`), [given.account])).toBe('23505');
  expect(await stateOf(again('seq + 1', 'transaction_id'), [given.account])).toBe('23505');
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 1 });
});
