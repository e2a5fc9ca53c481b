import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { ImportName } from '../../src/bank/import/import.names.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { accountRecord, beneficiaryRecord, customerRecord, importing } from './importing.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const CUSTOMERS = 6;
const ACCOUNTS = 5;
const BENEFICIARIES = 9;

/** Valid lines of a program of their own: nothing in them but the ids differs from one program to the next. */
function linesOf(run: number): Record<'customers' | 'accounts' | 'beneficiaries', object[]> {
  const customerId = (n: number): string => `${String(run)}-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const accountId = (n: number): string => `run${run}-${n}`;
  return {
    customers: numbers(CUSTOMERS).map(n => customerRecord({ customerId: customerId(n), governmentId: `X000${n}` })),
    accounts: numbers(ACCOUNTS).map(n =>
      accountRecord(
        numbers(1 + (n % 3)).map(owner => customerId((n + owner) % CUSTOMERS)),
        { accountId: accountId(n) },
      ),
    ),
    beneficiaries: numbers(BENEFICIARIES).map(n =>
      beneficiaryRecord(accountId(n % ACCOUNTS), { name: { first: `N${n}`, last: 'Nonesuch' } }),
    ),
  };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

/**
 * A digest of what is stored of a program, seals opened, without the ids of the run. Beneficiaries have the order of
 * the file, so theirs is left out.
 */
async function stored(run: number): Promise<string> {
  const open = (identity: string, sealed: Buffer): unknown => gateway.opened(identity, sealed);
  const program = `run${run}`;
  const { rows: customers } = await gateway.sql.query(
    'SELECT * FROM customer WHERE program = $1 ORDER BY customer_id',
    [program],
  );
  const { rows: accounts } = await gateway.sql.query('SELECT * FROM account WHERE program = $1 ORDER BY account_id', [
    program,
  ]);
  const { rows: owners } = await gateway.sql.query(
    'SELECT o.* FROM account_owner o JOIN account USING (account_id) WHERE program = $1 ORDER BY 1, 3',
    [program],
  );
  const { rows: beneficiaries } = await gateway.sql.query(
    'SELECT b.* FROM beneficiary b JOIN account USING (account_id) WHERE program = $1 ORDER BY b.account_id, b.name_first',
    [program],
  );
  const everything = {
    // The hash of a chain has the times and the numbers of its events in it.
    accounts: accounts.map(row => ({ ...row, event_hash: null, updated_at: null })),
    owners,
    customers: customers.map(row => ({
      ...row,
      updated_at: null,
      sealed: open(`customer/${row.customer_id}`, row.sealed),
    })),
    beneficiaries: beneficiaries.map(row => ({
      ...row,
      position: null,
      beneficiary_id: null,
      updated_at: null,
      sealed: open(`beneficiary/${row.account_id}/${row.beneficiary_id}`, row.sealed),
    })),
  };
  return createHash('sha256')
    .update(JSON.stringify(everything).replaceAll(String(run), 'RUN'))
    .digest('hex');
}

/** All of `count` numbers, some of them several times, in any order. */
function anyOrderOf(count: number): fc.Arbitrary<number[]> {
  return fc
    .array(fc.nat(count - 1), { maxLength: count })
    .chain(repeated => fc.shuffledSubarray([...numbers(count), ...repeated], { minLength: count + repeated.length }));
}

test('lines in any order, repeated and cut into any batches, give the same database; importing them again changes nothing', async () => {
  // No other number in the data looks like it.
  let run = 70_000_001;
  for (const name of ['customers', 'accounts', 'beneficiaries'] as const) {
    await importing(gateway, name, `run${run}`, linesOf(run)[name]);
  }
  const expected = await stored(run);

  const order = fc.record({
    customers: anyOrderOf(CUSTOMERS),
    accounts: anyOrderOf(ACCOUNTS),
    beneficiaries: anyOrderOf(BENEFICIARIES),
  });
  await fc.assert(
    fc.asyncProperty(order, fc.integer({ min: 1, max: 20 }), async (orders, batchLines) => {
      run += 1;
      const lines = linesOf(run);
      for (const name of ['customers', 'accounts', 'beneficiaries'] as const) {
        const ordered = orders[name].map(n => lines[name][n] as object);
        const became = await inBatches(name, `run${run}`, ordered, batchLines);
        expect(became.filter(outcome => outcome === 'new')).toHaveLength(lines[name].length);
        expect(new Set(await inBatches(name, `run${run}`, ordered, batchLines))).toEqual(new Set(['unchanged']));
      }
      expect(await stored(run)).toBe(expected);
    }),
    { numRuns: rounds(25) },
  );
});

async function inBatches(
  name: ImportName,
  program: string,
  records: readonly object[],
  size: number,
): Promise<unknown[]> {
  const became: unknown[] = [];
  for (let start = 0; start < records.length; start += size) {
    became.push(...(await importing(gateway, name, program, records.slice(start, start + size))));
  }
  return became;
}
