import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newCard } from '../support/card.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary, type GivenAccount } from '../support/given.js';
import { pdfOf } from '../support/statement.js';
import { rounds } from '../support/rounds.js';
import { restCode } from '../support/answers.js';

let gateway: TestGateway;
let given: GivenAccount;
beforeAll(async () => {
  gateway = await startTestGateway();
  given = await gateway.given.account();
});
afterAll(() => gateway.stop());

const NO_DAYS = ['2026-02-30', '2026-13-01', '2026-00-10', '2026-01-00', '2025-02-29', '0000-01-01', '0000-00-00'];
const STRANGE_DAYS = [
  '+012026-01-01',
  '-000001-01-01',
  '12026-01-01',
  '2026-1-1',
  '20260101',
  '２０２６-01-01',
  '2026-01-01 ',
];
const NO_CLOCKS = ['24:00:00', '23:59:60', '23:60:00', '25:00:00', '12:00', '12', '12:00:00.', '12:00:00,5'];
const NO_OFFSETS = [
  '+14:01',
  '-14:01',
  '+15:00',
  '-23:59',
  '+24:00',
  '+0000',
  '+00',
  '',
  'z ',
  'UTC',
  '[UTC]',
  '−01:00',
];

const NO_INSTANTS = [
  ...[...NO_DAYS, ...STRANGE_DAYS].map(day => `${day}T12:00:00Z`),
  ...NO_CLOCKS.map(clock => `2026-01-31T${clock}Z`),
  ...NO_OFFSETS.map(offset => `2027-03-04T11:22:33${offset}`),
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T23:59:59-23:59',
  '0001-01-01T00:00:00+00:01',
  '0001-01-01T00:00:00+14:00',
  'infinity',
  '-infinity',
  'now',
  'epoch',
  'today',
  ' ',
  'NaN',
  '253402300800',
  '2026-W01-1',
  '2026-001',
];

/** Whatever is not an instant, however near it comes. */
const nearInstants = fc
  .tuple(
    fc.oneof(fc.constantFrom(...NO_DAYS, ...STRANGE_DAYS, '2026-01-31', '9999-12-31', '0001-01-01'), fc.string()),
    fc.constantFrom('T', 't', ' ', ''),
    fc.oneof(fc.constantFrom(...NO_CLOCKS, '00:00:00', '23:59:59', '23:59:59.999999999'), fc.string()),
    fc.oneof(fc.constantFrom(...NO_OFFSETS, 'Z', '+14:00', '-14:00'), fc.string()),
  )
  .map(parts => parts.join(''));

const CREATE = 'mutation ($input: CardInput!) { createCard(input: { card: $input }) { card { cardId } } }';
const HISTORY = `query ($id: ID!, $filter: TransactionFilter) { account(accountId: $id) { transactions(filter: $filter) { totalCount nodes { transactionId } } } }`;
const PROGRAM = `query ($filter: TransactionFilter) { transactions(filter: $filter) { totalCount nodes { transactionId } } }`;
const EVENTS = `query ($filter: EventFilter) { events(filter: $filter) { totalCount nodes { id } } }`;
const POST = `mutation ($id: ID!, $entries: [TransactionInput!]!) { postAccountTransactions(input: { accountId: $id, transactions: $entries }) { transactions { transactionId } } }`;

const entry = (changes: object) => ({
  transactionId: 't',
  amount: '1.00',
  direction: 'CREDIT',
  category: 'ACH',
  transactionType: 'FEE',
  status: 'POSTED',
  transactedAt: '2026-01-31T12:00:00Z',
  postedAt: '2026-01-31T12:00:00Z',
  ...changes,
});

type TimeRequest = (time: string) => Promise<{ readonly status: number; readonly text: string }>;

const byFilter = (names: Record<string, [query: string, field: string]>): Record<string, TimeRequest> =>
  Object.fromEntries(
    Object.entries(names).map(([name, [query, field]]) => [
      name,
      time => byGraphql(query, { ...(query === HISTORY && { id: given.account }), filter: { [field]: time } }),
    ]),
  );
const INSTANTS_OF_FILTERS = byFilter({
  'occurredFrom of events': [EVENTS, 'occurredFrom'],
  'occurredBefore of events': [EVENTS, 'occurredBefore'],
  'postedFrom of an account': [HISTORY, 'postedFrom'],
  'postedBefore of an account': [HISTORY, 'postedBefore'],
  'postedFrom of a program': [PROGRAM, 'postedFrom'],
  'postedBefore of a program': [PROGRAM, 'postedBefore'],
});
const DAYS_OF_FILTERS = byFilter({
  'postedOnFrom of an account': [HISTORY, 'postedOnFrom'],
  'postedOnTo of an account': [HISTORY, 'postedOnTo'],
  'postedOnFrom of a program': [PROGRAM, 'postedOnFrom'],
  'postedOnTo of a program': [PROGRAM, 'postedOnTo'],
});

/** Everything that takes an instant: the status that it is answered with, and the text of the answer. */
const INSTANTS: Record<string, TimeRequest> = {
  'created over REST': async created =>
    gateway
      .as(given.caller)
      .rest.post('/cards/v1/cards', newCard(given.account, given.owners[0] as string, { created })),
  'created over GraphQL': async created => {
    const { pinIsSet: _1, created: _2, ...card } = newCard(given.account, given.owners[0] as string);
    return byGraphql(CREATE, { input: { ...card, type: 'VIRTUAL', status: 'ACTIVE', createdAt: created } });
  },
  'created as a literal': async created => {
    const {
      pinIsSet: _1,
      created: _2,
      type: _3,
      status: _4,
      ...card
    } = newCard(given.account, given.owners[0] as string);
    const fields = Object.entries(card)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    return byGraphql(
      `mutation { createCard(input: { card: { ${fields.join(', ')}, type: VIRTUAL, createdAt: ${JSON.stringify(created)} } }) { card { cardId } } }`,
    );
  },
  ...INSTANTS_OF_FILTERS,
  transactedAt: transactedAt => byGraphql(POST, { id: given.account, entries: [entry({ transactedAt })] }),
  postedAt: postedAt => byGraphql(POST, { id: given.account, entries: [entry({ postedAt })] }),
};

/** Everything that takes a day or an instant in UTC. */
const TIMES: Record<string, TimeRequest> = {
  'startTime over REST': async time => gateway.as(given.caller).rest.get(history({ startTime: time })),
  'endTime over REST': async time => gateway.as(given.caller).rest.get(history({ endTime: time })),
};

/** Everything that takes a day. */
const DAYS: Record<string, TimeRequest> = {
  'dateOfBirth over REST': async dateOfBirth =>
    gateway.as(given.caller).rest.post(`/accounts/${given.account}/beneficiaries`, leastBeneficiary({ dateOfBirth })),
  statementDate: async statementDate =>
    gateway.as(given.caller).raw({
      method: 'POST',
      path: `/accounts/${given.account}/statements?${new URLSearchParams({ statementDate }).toString()}`,
      headers: { 'content-type': 'application/pdf' },
      body: pdfOf(),
    }),
};

const history = (query: Record<string, string>) =>
  `/accounts/${given.account}/transactions?${new URLSearchParams(query).toString()}`;

async function byGraphql(query: string, variables: object = {}): Promise<{ status: number; text: string }> {
  const answer = await gateway.as(given.caller).graphql(query, variables);
  const codes = answer.errors?.map(({ extensions }) => restCode(extensions.code)) ?? [];
  const status = codes.length === 0 ? 200 : codes.includes('internal_error') ? 500 : 400;
  return { status, text: answer.text };
}

async function expectRefused(ask: TimeRequest, time: string): Promise<void> {
  const { status, text } = await ask(time);
  expect([time, status === 400 || status === 422]).toEqual([time, true]);
  // What is short stands in other words, too.
  if (time.trim().length > 5) expect(text).not.toContain(JSON.stringify(time).slice(1, -1));
}

const names = (asks: Record<string, TimeRequest>) => Object.entries(asks);

test.each(names(INSTANTS))('%s takes no instant that there is not', async (_, ask) => {
  for (const instant of NO_INSTANTS) await expectRefused(ask, instant);
});

test.each(names(TIMES))('%s takes no time that there is not', async (_, ask) => {
  const offsets = ['2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00z', '2026-01-31t12:00:00Z'];
  for (const time of [...NO_INSTANTS, ...NO_DAYS, ...STRANGE_DAYS, ...offsets, '']) await expectRefused(ask, time);
});

test.each(names(DAYS))('%s takes no day that there is not', async (_, ask) => {
  for (const day of [...NO_DAYS, ...STRANGE_DAYS, '9999-12-31', '0001-01-01', '2026-01-31T00:00:00Z']) {
    await expectRefused(ask, day);
  }
});

test.each(names(DAYS_OF_FILTERS))('%s takes no day that there is not', async (_, ask) => {
  for (const day of [...NO_DAYS, ...STRANGE_DAYS, '2026-01-31T00:00:00Z', '']) await expectRefused(ask, day);
});

test.each(names({ ...INSTANTS, ...TIMES, ...DAYS, ...DAYS_OF_FILTERS }))(
  '%s never breaks, whatever is near a time',
  async (_, ask) => {
    await fc.assert(
      fc.asyncProperty(nearInstants, async time => {
        const { status } = await ask(time);
        expect([time, status < 500]).toEqual([time, true]);
      }),
      // Letters may be small, as RFC 3339 says.
      { numRuns: rounds(40), examples: [['2026-01-31t00:00:00z']] },
    );
  },
);

test('the first and the last instant, and the farthest zones, are times like others', async () => {
  const known = [
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-01-31T12:00:00+14:00',
    '2026-01-31T12:00:00-14:00',
  ];
  for (const time of known) {
    for (const [name, ask] of names(INSTANTS_OF_FILTERS)) {
      expect([name, time, (await ask(time)).status]).toEqual([name, time, 200]);
    }
  }
  for (const time of ['0001-01-01', '9999-12-31', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2024-02-29']) {
    for (const [name, ask] of names(TIMES)) expect([name, time, (await ask(time)).status]).toEqual([name, time, 200]);
  }
  for (const day of ['0001-01-01', '9999-12-31', '2024-02-29']) {
    for (const [name, ask] of names(DAYS_OF_FILTERS)) {
      expect([name, day, (await ask(day)).status]).toEqual([name, day, 200]);
    }
  }
  const created = INSTANTS['created over REST'] as TimeRequest;
  expect((await created('2026-01-31T12:00:00+14:00')).text).toContain('"created":"2026-01-30T22:00:00.000Z"');
  expect((await created('1849-12-31T23:59:59Z')).status).toBe(422);
});

describe('a cursor', () => {
  const cursor = (position: string) => Buffer.from(position).toString('base64url');
  const LISTS = {
    events: (after: string) =>
      byGraphql('query ($after: String) { events(after: $after) { nodes { id } } }', { after }),
    transactions: (after: string) =>
      byGraphql('query ($after: String) { transactions(after: $after) { nodes { transactionId } } }', { after }),
  };

  test.each(names(LISTS))('of %s names an instant that there is', async (list, ask) => {
    const rest = list === 'events' ? '7' : '7 account-1';
    for (const instant of [...NO_INSTANTS, '2026-01-31T12:00:00Z']) {
      const { status, text } = await ask(cursor(`${instant} ${rest}`));
      expect([instant, status]).toEqual([instant, 400]);
      expect(text).toContain('Must be a cursor from a page of the same list.');
    }
    for (const instant of ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      expect([instant, (await ask(cursor(`${instant} ${rest}`))).status]).toEqual([instant, 200]);
    }
  });
});
