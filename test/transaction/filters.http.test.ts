import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  byCursor,
  connection,
  entries,
  entry,
  idsOf,
  minorUnits,
  post,
  restPages,
  type Entry,
  filterOf,
} from './support/ledger.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

interface Filter {
  startTime?: string;
  endTime?: string;
  status?: Entry['status'][];
  debitCreditMemo?: Entry['debitCreditMemo'][];
  category?: string[];
  transactionType?: string[];
  minAmount?: string;
  maxAmount?: string;
  search?: string;
}

/** The day of an instant on a clock on the wall, reckoned apart from the code under test. */
function dayOf(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date(instant));
  const part = (type: string) => parts.find(found => found.type === type)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}

const isDay = (time: string): boolean => time.length === 10;

/** Where an instant stands in a range of days or instants. */
function isWithin(posted: string, { startTime, endTime }: Filter, timeZone: string): boolean {
  const day = dayOf(posted, timeZone);
  const begins = !startTime || (isDay(startTime) ? day >= startTime : Date.parse(posted) >= Date.parse(startTime));
  const ends = !endTime || (isDay(endTime) ? day <= endTime : Date.parse(posted) < Date.parse(endTime));
  return begins && ends;
}

/** One filter after another, as the API describes them. */
function fits(row: Entry, filter: Filter, timeZone: string): boolean {
  const { startTime, endTime, minAmount, maxAmount, search = '' } = filter;
  const isOneOf = <Choice>(choice: Choice, choices?: readonly Choice[]) => choices?.includes(choice) ?? true;
  // Four digits are enough for every currency.
  const amount = minorUnits(row.amount, 'CLF');
  const posted = row.postedTimestamp;
  const holds = (words?: string | null) => words?.toLowerCase().includes(search.toLowerCase());
  return [
    !(startTime || endTime) || Boolean(posted && isWithin(posted, filter, timeZone)),
    isOneOf(row.status, filter.status),
    isOneOf(row.debitCreditMemo, filter.debitCreditMemo),
    isOneOf(row.category, filter.category),
    isOneOf(row.transactionType, filter.transactionType),
    !minAmount || amount >= minorUnits(minAmount, 'CLF'),
    !maxAmount || amount <= minorUnits(maxAmount, 'CLF'),
    !search || holds(row.description) || holds(row.memo),
  ].every(Boolean);
}

/** Choices are repeated or parted by commas, as `commas` says of each. */
function queryOf(filter: Filter, commas: boolean): string {
  const query = new URLSearchParams({ limit: '7' });
  for (const [name, value] of Object.entries(filter) as [string, string | string[]][]) {
    if (!Array.isArray(value)) query.append(name, value);
    else if (commas) query.append(name, value.join(','));
    else for (const choice of value) query.append(name, choice);
  }
  return query.toString();
}

// Around these instants days of 23, 24 and 25 hours meet; at some, a clock shows midnight twice, or never.
const ZONES: Record<string, readonly string[]> = {
  'America/New_York': ['2026-03-08T05:00Z', '2026-03-09T04:00Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  'Asia/Kolkata': ['2026-03-07T18:30Z', '2026-03-08T18:30Z'],
  'Australia/Lord_Howe': ['2026-04-04T13:00Z', '2026-04-05T13:30Z', '2026-10-03T13:30Z', '2026-10-04T13:00Z'],
  'America/Havana': ['2026-03-08T05:00Z', '2026-11-01T04:00Z', '2026-11-01T05:00Z', '2026-11-02T05:00Z'],
  'Atlantic/Azores': ['2026-03-29T01:00Z', '2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-26T01:00Z'],
  'Africa/Cairo': ['2026-04-23T22:00Z', '2026-04-24T21:00Z', '2026-10-29T21:00Z', '2026-10-29T22:00Z'],
  'Asia/Beirut': ['2026-03-28T22:00Z', '2026-10-24T20:00Z', '2026-10-24T21:00Z', '2026-10-24T22:00Z'],
  'America/Nuuk': ['2026-03-29T01:00Z', '2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T02:00Z'],
  'Pacific/Kiritimati': ['2026-03-07T10:00Z', '2026-03-08T10:00Z'],
};

const instantIn = (zone: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...(ZONES[zone] as string[])),
      fc.constantFrom(-86_400_000, -3_600_000, -1_800_000, -1, 0, 1, 1_800_000, 3_599_999, 3_600_000),
    )
    .map(([at, offset]) => new Date(Date.parse(at) + offset).toISOString());

const timeIn = (zone: string): fc.Arbitrary<string> =>
  fc.oneof(
    instantIn(zone),
    instantIn(zone).map(instant => dayOf(instant, zone)),
  );

const TEXTS = ['50% off', 'a_b', 'axb', 'back\\slash', '%', 'Rent March', 'rent', '\\%', "o'clock", '_'];
const AMOUNTS = {
  JPY: ['0', '9', '10', '11', '250000'],
  USD: ['0', '0.01', '9.99', '10', '10.01', '250000.5'],
  BHD: ['0.001', '9.999', '10', '10.001', '250000.125'],
} as const;
const DIRECTIONS = ['CREDIT', 'DEBIT', 'MEMO'] as const;
const STATUSES = ['AUTHORIZATION', 'MEMO', 'PENDING', 'POSTED'] as const;
const CATEGORIES = ['ACH', 'OTHER', 'wire', 'x.y-z_1'];
const TYPES = ['DIRECTDEPOSIT', 'DIRECTDEBIT', 'FEE'];

const someText = fc.option(fc.constantFrom(...TEXTS), { nil: undefined });
const some = <Choice>(choices: readonly Choice[]): fc.Arbitrary<Choice[]> =>
  fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1, maxLength: 3 });

const filterIn = (zone: string): fc.Arbitrary<Filter> =>
  fc
    .record(
      {
        startTime: timeIn(zone),
        endTime: timeIn(zone),
        status: some(STATUSES),
        debitCreditMemo: some(DIRECTIONS),
        category: some([...CATEGORIES, 'NONE']),
        transactionType: some([...TYPES, 'NONE']),
        minAmount: fc.constantFrom('0', '0.0001', '9.9991', '10', '10.0000', '10.0001'),
        maxAmount: fc.constantFrom('10', '10.0009', '10.001', '250000.1249', '250000.5'),
        search: fc.constantFrom('%', '_', '\\', 'RENT', '0% O', "'", 'a_', '\\s', '\\\\', '%%'),
      },
      { requiredKeys: [] },
    )
    .map(filter => {
      const { startTime, endTime, minAmount, maxAmount } = filter;
      // What is reversed is refused.
      const ordered: Filter = { ...filter };
      if (startTime && endTime && Date.parse(startTime) > Date.parse(endTime)) delete ordered.endTime;
      if (Number(minAmount) > Number(maxAmount)) delete ordered.maxAmount;
      return ordered;
    });

const scenario = fc
  .record({ timeZone: fc.constantFrom(...Object.keys(ZONES)), currency: fc.constantFrom('JPY', 'USD', 'BHD' as const) })
  .chain(({ timeZone, currency }) =>
    fc.record({
      timeZone: fc.constant(timeZone),
      currency: fc.constant(currency),
      ledger: fc.array(
        fc
          .record({
            amount: fc.constantFrom(...AMOUNTS[currency]),
            debitCreditMemo: fc.constantFrom(...DIRECTIONS),
            status: fc.constantFrom(...STATUSES),
            category: fc.constantFrom(...CATEGORIES),
            transactionType: fc.constantFrom(...TYPES),
            description: someText,
            memo: someText,
            postedTimestamp: instantIn(timeZone),
            isPosted: fc.boolean(),
          })
          .map(({ postedTimestamp, isPosted, ...fields }) =>
            entry({
              ...fields,
              postedTimestamp: isPosted || fields.status === 'POSTED' ? postedTimestamp : undefined,
            }),
          ),
        {
          minLength: 5,
          maxLength: 40,
        },
      ),
      filters: fc.array(fc.tuple(filterIn(timeZone), fc.boolean()), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  );

test('every filter, alone and with others, finds what a plain model finds, over GraphQL and REST', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ timeZone, currency, ledger, filters }) => {
      const given = await gateway.given.account({ timeZone, currency });
      // A run may be repeated to find a smaller one: the ids are its own.
      const rows = ledger.map(row => ({ ...row, transactionId: entry().transactionId }));
      await post(gateway, given, rows);
      for (const [filter, commas] of filters) {
        const expected = rows
          .filter(row => fits(row, filter, timeZone))
          .map(({ transactionId }) => transactionId)
          .reverse();
        const pages = await restPages(gateway, given, queryOf(filter, commas));
        expect(idsOf(...pages)).toEqual(expected);
        expect(pages.map(({ page }) => page.totalElements)).toEqual(pages.map(() => expected.length));

        const graphqlFilter = filterOf({ ...filter });
        expect(await byCursor(gateway, given, 7, graphqlFilter)).toEqual(expected);
        const last = await connection(gateway, given, { last: 5, filter: graphqlFilter });
        expect(last).toMatchObject({ ids: expected.slice(-5), totalCount: expected.length });
      }
    }),
    { numRuns: rounds(60) },
  );
});

test.each([
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
  ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z', '2026-01-01T18:29:59.999Z'],
  ['Asia/Kathmandu', '2024-02-29', '2024-02-28T18:15:00.000Z', '2024-02-29T18:14:59.999Z'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', '2026-10-26T00:59:59.999Z'],
  ['Asia/Beirut', '2026-10-24', '2026-10-23T21:00:00.000Z', '2026-10-24T21:59:59.999Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z'],
  ['America/Nuuk', '2026-03-29', '2026-03-29T01:00:00.000Z', '2026-03-30T00:59:59.999Z'],
  ['America/Nuuk', '2026-10-24', '2026-10-24T01:00:00.000Z', '2026-10-25T01:59:59.999Z'],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', '2011-12-30T09:59:59.999Z'],
  ['UTC', '2096-02-29', '2096-02-29T00:00:00.000Z', '2096-02-29T23:59:59.999Z'],
])('in %s the day %s has its first and its last millisecond, and no other', async (timeZone, day, first, last) => {
  const given = await gateway.given.account({ timeZone });
  const beside = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();
  const times = [beside(first, -1), first, last, beside(last, 1)];
  await post(
    gateway,
    given,
    times.map(postedTimestamp => entry({ transactionId: postedTimestamp, postedTimestamp })),
  );
  const inside = times.slice(1, 3).reverse();
  expect(idsOf(...(await restPages(gateway, given, `startTime=${day}&endTime=${day}`)))).toEqual(inside);
  expect(await byCursor(gateway, given, 10, { postedOnFrom: day, postedOnTo: day })).toEqual(inside);
  const program = `query ($filter: TransactionFilter) { transactions(filter: $filter) { nodes { transactionId } totalCount } }`;
  const { data } = await gateway.as(given.caller).graphql(program, { filter: { postedOnFrom: day, postedOnTo: day } });
  expect(data.transactions).toEqual({
    nodes: inside.map(transactionId => ({ transactionId })),
    totalCount: inside.length,
  });
});

test('an instant that ends a range is not in it, one that begins it is', async () => {
  const given = await gateway.given.account();
  const times = ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.002Z'];
  await post(
    gateway,
    given,
    times.map(postedTimestamp => entry({ transactionId: postedTimestamp, postedTimestamp })),
  );
  const range = { startTime: times[1] as string, endTime: times[2] as string };
  expect(idsOf(...(await restPages(gateway, given, new URLSearchParams(range).toString())))).toEqual([times[1]]);
  expect(await byCursor(gateway, given, 10, filterOf(range))).toEqual([times[1]]);
});

test('each API takes every choice: repeated, with commas, and both', async () => {
  const given = await gateway.given.account();
  const posted = entries(4, index => ({ category: ['A', 'B', 'C', 'D'][index] }));
  await post(gateway, given, posted);
  const [a, b, c] = posted.map(({ transactionId }) => transactionId);
  for (const query of [
    'category=A&category=B&category=C',
    'category=A,B,C',
    'category=C,B&category=A',
    'category=A,A,B,C,E',
  ]) {
    expect(idsOf(...(await restPages(gateway, given, query)))).toEqual([c, b, a]);
  }
  expect(await byCursor(gateway, given, 10, { categories: ['C', 'A', 'B', 'E'] })).toEqual([c, b, a]);
  // A single value is a list of one for a GraphQL variable.
  expect(await byCursor(gateway, given, 10, { categories: 'B' })).toEqual([b]);
});

test('texts are found in description and memo, in any case, and no sign in them is special', async () => {
  const given = await gateway.given.account();
  const texts = ['100% pure', '100 percent', 'a_b', 'a-b', 'c\\d', 'c\\\\d', 'Señor GÓMEZ', '"quoted"', "it's", '{$1}'];
  await post(
    gateway,
    given,
    texts.map((found, index) => entry(index % 2 ? { description: found } : { memo: found, description: 'other' })),
  );
  const search: [string, string[]][] = [
    ...([
      ['100%', ['100% pure']],
      ['%', ['100% pure']],
      ['_', ['a_b']],
      ['A_B', ['a_b']],
    ] as [string, string[]][]),
    ...([
      ['\\', ['c\\d', 'c\\\\d']],
      ['\\\\', ['c\\\\d']],
      ['señor gómez', ['Señor GÓMEZ']],
    ] as [string, string[]][]),
    ...([
      ['"', ['"quoted"']],
      ["'", ["it's"]],
      ['$1', ['{$1}']],
      ['nothing', []],
      ['100', ['100% pure', '100 percent']],
    ] as [string, string[]][]),
  ];
  for (const [text, expected] of search) {
    const pages = await restPages(gateway, given, new URLSearchParams({ search: text }).toString());
    const found = pages.flatMap(({ transactions }) =>
      transactions.map(({ depositTransaction: { memo, description } }) => memo || description),
    );
    expect([text, found.reverse()]).toEqual([text, expected]);
    expect((await connection(gateway, given, { filter: { search: text } })).totalCount).toBe(expected.length);
  }
});

test('an empty filter, and one of nulls, is none', async () => {
  const given = await gateway.given.account();
  await post(gateway, given, entries(3));
  const nulls = { postedFrom: null, categories: null, statuses: null, minAmount: null, search: null, directions: null };
  for (const filter of [{}, nulls, null]) {
    expect((await connection(gateway, given, { filter })).totalCount).toBe(3);
  }
});
