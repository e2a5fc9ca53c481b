import { afterAll, expect } from '@jest/globals';
import { differsOnCitus } from '../support/citus-differences.js';
import { explainedOf, rowsFrom } from '../support/explained.js';
import { startTestGateway } from '../support/gateway.js';
import { testUnless } from '../support/unless.js';
import { entries, post } from './support/ledger.js';
import type * as Inside from './after-a-trial.inside.js';

const gateway = await startTestGateway({});
afterAll(() => gateway.stop());

/** The rows of an import that was only tried: they were rolled back, and statistics say that there are none. */
const TRIED = 10_000;
const ON_RECORD = 500;
const ASKED = 20;

testUnless(differsOnCitus('plans'))(
  'statistics of before an import do not have each new transaction compared with all that are on record',
  async () => {
    const given = await gateway.given.account();
    await post(gateway, given, entries(1));
    const client = await gateway.sql.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO transaction (account_id, program, seq, transaction_id, amount_minor, balance_minor, debit_credit_memo,
           category, transaction_type, status, transaction_time, transaction_timestamp, additional_information, line_item)
         SELECT account_id, program, n, 'tried-' || n, 1, 1, 'MEMO', category, transaction_type, 'MEMO', transaction_time,
           transaction_timestamp, additional_information, line_item
         FROM transaction, generate_series(2, $1::int) n`,
        [TRIED],
      );
      await client.query('ROLLBACK');
      await client.query('ANALYZE transaction');
    } finally {
      client.release();
    }
    await post(gateway, given, entries(ON_RECORD));

    const text = await gateway.module<typeof Inside>('test/transaction/after-a-trial').lookUp();
    const offered = Array.from({ length: ASKED }, (_, n) => `new-${n}`);
    const { reads, nodes } = await explainedOf(gateway, ['transaction'], text, [
      offered.map(() => given.account),
      offered,
    ]);
    const index = 'transaction_account_id_transaction_id_unique';
    expect([reads, rowsFrom(nodes, index)]).toEqual([[`Index Scan ${index}`], 0]);
  },
);
