import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { connection, entries, entry, idsOf, post, type HistoryPage } from './support/ledger.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** A list that somebody reads page by page. Gives the ids of the next page, or null after the last one. */
type Reader = () => Promise<string[] | null>;

function restReader({ account, caller }: GivenAccount, size: number, type: string | null): Reader {
  const query = `limit=${size}${type === null ? '' : `&transactionType=${type}`}`;
  let path: string | undefined = `/accounts/${account}/transactions?${query}`;
  let total: number | undefined;
  return async () => {
    if (path === undefined) return null;
    const { body } = await gateway.as(caller).rest.get(path);
    total ??= body.page.totalElements;
    expect(body.page.totalElements).toBe(total);
    path = body.links.next?.href;
    return idsOf(body);
  };
}

function cursorReader(given: GivenAccount, size: number, type: string | null): Reader {
  const filter = type === null ? undefined : { transactionTypes: [type] };
  let after: string | null | undefined = null;
  return async () => {
    if (after === undefined) return null;
    const page: HistoryPage = await connection(gateway, given, {
      first: size,
      after,
      filter,
    });
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;
    return page.ids;
  };
}

const READERS = { rest: restReader, cursors: cursorReader };

test.each(['rest', 'cursors'] as const)('%s: postings between two pages neither shift nor repeat a row', async api => {
  const given = await gateway.given.account();
  const ledger = entries(10, index => ({ transactionType: index % 2 ? 'ODD' : 'EVEN' }));
  await post(gateway, given, ledger);
  const newestFirst = ledger.map(({ transactionId }) => transactionId).reverse();
  const unfiltered = READERS[api](given, 4, null);
  const filtered = READERS[api](given, 2, 'ODD');
  expect([await unfiltered(), await filtered()]).toEqual([newestFirst.slice(0, 4), [newestFirst[0], newestFirst[2]]]);
  await post(
    gateway,
    given,
    entries(5, () => ({ transactionType: 'ODD' })),
  );
  expect([await unfiltered(), await filtered()]).toEqual([newestFirst.slice(4, 8), [newestFirst[4], newestFirst[6]]]);
  await post(
    gateway,
    given,
    entries(1, () => ({ transactionType: 'EVEN' })),
  );
  expect([await unfiltered(), await filtered()]).toEqual([newestFirst.slice(8), [newestFirst[8]]]);
  expect([await unfiltered(), await filtered()]).toEqual([null, null]);
});

const actions = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('next' as const) },
    { weight: 2, arbitrary: fc.array(fc.constantFrom('ODD', 'EVEN'), { minLength: 1, maxLength: 6 }) },
  ),
  { minLength: 2, maxLength: 14 },
);

test('whatever is posted while somebody reads, the reader gets the history as it was at the first page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('rest' as const, 'cursors' as const),
      fc.constantFrom(null, 'ODD', 'NONE'),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.constantFrom('ODD', 'EVEN'), { maxLength: 12 }),
      actions,
      async (api, type, size, start, steps) => {
        const given = await gateway.given.account();
        const ledger: { id: string; type: string }[] = [];
        const add = async (types: readonly string[]): Promise<void> => {
          const rows = types.map(transactionType => entry({ transactionType }));
          if (rows.length > 0) await post(gateway, given, rows);
          ledger.push(
            ...rows.map(({ transactionId, transactionType }) => ({ id: transactionId, type: transactionType })),
          );
        };
        await add(start);
        const reader = READERS[api](given, size, type);
        const read: string[] = [];
        let expected: string[] | undefined;
        const next = async (): Promise<boolean> => {
          expected ??= ledger
            .filter(row => type === null || row.type === type)
            .map(({ id }) => id)
            .reverse();
          const page = await reader();
          read.push(...(page ?? []));
          return page !== null;
        };
        for (const step of steps) await (step === 'next' ? next() : add(step));
        while (await next());
        expect(read).toEqual(expected);
      },
    ),
    { numRuns: rounds(40) },
  );
});

test('while others post without a pause, a reader finds neither a gap nor a row twice', async () => {
  const given = await gateway.given.account();
  await post(gateway, given, entries(60));
  let reading = true;
  const writer = async (): Promise<void> => {
    while (reading) await post(gateway, given, entries(3));
  };
  const writers = [writer(), writer()];
  const all = async (reader: Reader): Promise<string[]> => {
    const ids: string[] = [];
    for (let page = await reader(); page; page = await reader()) ids.push(...page);
    return ids;
  };
  const lists = await Promise.all([
    all(restReader(given, 7, null)),
    all(cursorReader(given, 7, null)),
    all(restReader(given, 7, 'DIRECTDEPOSIT')),
    all(cursorReader(given, 7, 'DIRECTDEPOSIT')),
  ]);
  reading = false;
  await Promise.all(writers);
  const { rows } = await gateway.sql.query<{ id: string }>(
    'SELECT transaction_id AS id FROM transaction WHERE account_id = $1 ORDER BY seq DESC',
    [given.account],
  );
  const ledger = rows.map(({ id }) => id);
  for (const list of lists) expect(list).toEqual(ledger.slice(ledger.length - list.length));
});
