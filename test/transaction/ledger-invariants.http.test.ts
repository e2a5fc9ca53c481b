import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { entry, expectSound, importing, line, posting, refusal, type Entry } from './support/ledger.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ACCOUNTS = 3;
const FILE_LINES = 24;

const row = fc.record({
  amount: fc.constantFrom('0', '0.01', '1.5', '10', '99999999.99'),
  debitCreditMemo: fc.constantFrom('CREDIT', 'DEBIT', 'MEMO'),
  status: fc.constantFrom('POSTED', 'POSTED', 'PENDING', 'AUTHORIZATION', 'MEMO'),
}) as fc.Arbitrary<Partial<Entry>>;

const record = fc.record({ account: fc.nat(ACCOUNTS - 1), changes: row });

type Step =
  /** New transactions. */
  | { readonly kind: 'post'; readonly account: number; readonly rows: readonly Partial<Entry>[] }
  /** Lines of the file, posted before or after they are imported. */
  | { readonly kind: 'post again'; readonly account: number; readonly from: number }
  /** Other content under ids of the file, which may get in before it. */
  | { readonly kind: 'post otherwise'; readonly account: number; readonly from: number }
  /** The file from its start, and how far it comes before it is stopped. */
  | { readonly kind: 'import'; readonly upTo: number; readonly batch: number };

const account = fc.nat(ACCOUNTS - 1);
const from = fc.nat(FILE_LINES - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('post' as const), account, rows: fc.array(row, { minLength: 1, maxLength: 4 }) }),
  fc.record({ kind: fc.constant('post again' as const), account, from }),
  fc.record({ kind: fc.constant('post otherwise' as const), account, from }),
  fc.record({
    kind: fc.constant('import' as const),
    upTo: fc.nat(FILE_LINES),
    batch: fc.integer({ min: 1, max: FILE_LINES }),
  }),
);

const file = fc.array(record, { minLength: FILE_LINES, maxLength: FILE_LINES });
/** Steps of one list come one after another, lists run at the same time. */
const lists = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 });

test('whatever is posted and imported, stopped and repeated, in turn or at once: every ledger is sound and holds each id once', async () => {
  await fc.assert(
    fc.asyncProperty(file, lists, async (records, steps) => {
      const program = gateway.given.program();
      const caller = await gateway.caller({ program });
      const accounts: string[] = [];
      for (let index = 0; index < ACCOUNTS; index++) accounts.push((await gateway.given.account({ program })).account);
      const rows = records.map(({ account: index, changes }) => ({ index, row: entry(changes) }));
      const lines = rows.map(({ index, row: line_ }) => line(accounts[index] as string, line_));

      const run = async (what: Step): Promise<void> => {
        if (what.kind === 'import') {
          for (let start = 0; start < what.upTo; start += what.batch) {
            const batch = lines.slice(start, Math.min(start + what.batch, what.upTo));
            for (const outcome of await importing(gateway, program, batch)) {
              expect(['new', 'unchanged', ['/depositTransaction/transactionId different_transaction']]).toContainEqual(
                outcome,
              );
            }
          }
          return;
        }
        const where = { account: accounts[what.account] as string, caller };
        const known =
          'from' in what
            ? rows
                .slice(what.from)
                .filter(({ index }) => index === what.account)
                .slice(0, 3)
            : [];
        const posted =
          what.kind === 'post'
            ? what.rows.map(changes => entry(changes))
            : known.map(({ row: same }) => (what.kind === 'post again' ? same : { ...same, memo: 'otherwise' }));
        if (posted.length === 0) return;
        const answer = await posting(gateway, where, posted);
        // Where somebody came first with other content, all of it is refused.
        if (answer.errors) expect(refusal(answer).code).toBe('transaction_mismatch');
      };
      await Promise.all(
        steps.map(async list => {
          for (const one of list) await run(one);
        }),
      );

      await run({ kind: 'import', upTo: FILE_LINES, batch: 10 });
      const before = await Promise.all(accounts.map(id => expectSound(gateway, id)));
      for (const outcome of await importing(gateway, program, lines)) expect(outcome).not.toBe('new');
      expect(await Promise.all(accounts.map(id => expectSound(gateway, id)))).toEqual(before);
      const { rows: present } = await gateway.sql.query<{ id: string }>(
        'SELECT account_id || transaction_id AS id FROM transaction WHERE program = $1',
        [program],
      );
      const ids = new Set(present.map(({ id }) => id));
      expect(ids.size).toBe(present.length);
      for (const { index, row: inFile } of rows) expect(ids).toContain(`${accounts[index]}${inFile.transactionId}`);
    }),
    { numRuns: rounds(40) },
  );
});
