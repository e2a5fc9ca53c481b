import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HoldClient } from '../../hold/support/holds.js';
import { issue, post as postAt } from '../../statement/issue/issuing.js';
import { keyed, startTestGateway, unique, type GraphqlAnswer, type TestGateway } from '../../support/gateway.js';
import type { PageInfo } from '../../support/answers.js';
import type { GivenAccount } from '../../support/given.js';
import { make, transferOf } from '../../transfer/support/transfers.js';
import { entries, post } from '../../transaction/support/ledger.js';
import { rounds } from '../../support/rounds.js';

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: unknown }[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
}

let gateway: TestGateway;
let of: GivenAccount;
let variables: object;
beforeAll(async () => {
  gateway = await startTestGateway();
  const { customer } = await gateway.given.customer({ program: gateway.given.program(), addresses: [] });
  const { program } = await gateway.given.account({ owners: [customer] });
  of = await gateway.given.account({ program });
  const { account, caller } = of;
  const { rest } = gateway.as(caller);
  await gateway.given.beneficiaries(of, 9);
  for (const day of [1, 2, 3, 4]) await gateway.given.statement({ of, statementDate: `2026-05-0${day}` });
  await gateway.given.statement({ of, documentType: 'TAX_1099' });
  await post(gateway, of, entries(11));
  const holding = new HoldClient(gateway, of);
  for (let index = 0; index < 5; index++) await holding.placed();
  const to = await gateway.given.account({ program });
  for (let index = 0; index < 5; index++) await make(gateway, 'REST', of.caller, transferOf({ from: of, to }));
  for (let index = 0; index < 3; index++) {
    const without = await gateway.given.customer({ program, addresses: [] });
    const left = await gateway.given.account({ program, owners: [without.customer] });
    await postAt(gateway, left, [{ at: '2024-03-05', amount: '10.00', type: 'INTEREST' }]);
  }
  await issue(gateway, 'close', '2024-03', program);
  await issue(gateway, 'close', '2024-04', program);
  const { runId } = await issue(gateway, '1099', '2024', program);
  const urls = ['a', 'b', 'c', 'd'].map(name => `https://${name}.paging.example/t`);
  for (const url of urls) await rest.post('/webhook-endpoints', { url });
  for (const client of ['one', 'two', 'three', 'four', 'five']) {
    await rest.post('/token-revocations', { kind: 'CLIENT', value: `client-${client}` });
  }
  const { webhookEndpoints } = (await rest.get('/webhook-endpoints')).body;
  const { endpointId } = webhookEndpoints[0];
  for (let index = 0; index < 5; index++) {
    await rest.post(`/webhook-endpoints/${endpointId}/test`, { type: 'card.frozen' });
  }
  await gateway.given.programRecord(program, { approvals: { changingOwners: true } });
  for (let index = 0; index < 4; index++) {
    const holders = [{ customerId: (await gateway.given.customer({ program })).customer }];
    await rest.post(`/accounts/${account}/owners/add`, { holders }, keyed(unique('key')));
  }
  for (let index = 0; index < 4; index++) await gateway.given.taxFiling(program);
  const filingId = await gateway.given.taxFiling(program, { returns: 5 });
  for (let index = 0; index < 4; index++) {
    const facts = { taxStatus: 'FOREIGN', taxStatusOn: '2026-01-01' };
    await rest.post('/customers', { name: { last: `Foreign ${index}` }, ...facts });
  }
  for (let index = 0; index < 4; index++) await gateway.signIn(program);
  variables = { account, runId, endpointId, filingId };
  await gateway.feedReady();
});
afterAll(() => gateway.stop());

/** The lists with what identifies their elements: `LIST` stands for the arguments of a page. */
const LISTS: Readonly<Record<string, string>> = {
  accounts: 'list: accounts(LIST) { PAGE accountId }',
  approvals: 'list: approvals(LIST) { PAGE approvalId }',
  'approvals that wait': 'list: approvals(filter: { statuses: WAITING }, LIST) { PAGE approvalId }',
  events: 'list: events(LIST) { PAGE id }',
  'events of some types':
    'list: events(filter: { actions: ["hold.place", "webhook_endpoint.create"] }, LIST) { PAGE id }',
  'the feed': 'list: events(order: OLDEST_FIRST, LIST) { PAGE id }',
  statementRuns: 'list: statementRuns(LIST) { PAGE runId }',
  taxFilings: 'list: taxFilings(LIST) { PAGE filingId }',
  'returns of a filing': 'of: taxFiling(filingId: $filingId) { list: returns(LIST) { PAGE recordId } }',
  'payees of a tax year':
    'of: taxYear(taxYear: 2026) { list: payees(filter: { list: FORM_1042_S }, LIST) { PAGE customerId } }',
  leftOut: 'of: statementRun(runId: $runId) { list: leftOut(LIST) { PAGE accountId } }',
  'transactions of the program': 'list: transactions(LIST) { PAGE accountId transactionId }',
  'some transactions of the program':
    'list: transactions(filter: { directions: CREDIT }, LIST) { PAGE accountId transactionId }',
  operatorSessions: 'list: operatorSessions(LIST) { PAGE sessionId }',
  tokenRevocations: 'list: tokenRevocations(LIST) { PAGE revocationId }',
  webhookEndpoints: 'list: webhookEndpoints(LIST) { PAGE endpointId }',
  deliveries: 'of: webhookEndpoint(endpointId: $endpointId) { list: deliveries(LIST) { PAGE deliveryId } }',
  beneficiaries: 'of: account(accountId: $account) { list: beneficiaries(LIST) { PAGE beneficiaryId taxId } }',
  holds: 'of: account(accountId: $account) { list: holds(LIST) { PAGE holdId } }',
  'active holds':
    'of: account(accountId: $account) { list: holds(filter: { statuses: ACTIVE }, LIST) { PAGE holdId } }',
  transfers: 'of: account(accountId: $account) { list: transfers(LIST) { PAGE transferId } }',
  statements: 'of: account(accountId: $account) { list: statements(LIST) { PAGE statementId } }',
  'statements of a type':
    'of: account(accountId: $account) { list: statements(filter: { documentTypes: STATEMENTS }, LIST) { PAGE statementId } }',
  transactions: 'of: account(accountId: $account) { list: transactions(LIST) { PAGE transactionId } }',
  'some transactions':
    'of: account(accountId: $account) { list: transactions(filter: { directions: CREDIT }, LIST) { PAGE transactionId } }',
};

async function ask(
  list: string,
  args: object,
): Promise<GraphqlAnswer<{ list?: Page | null; of?: { list: Page | null } }>> {
  const query = (LISTS[list] as string)
    .replace('LIST', 'first: $first, after: $after, last: $last, before: $before')
    .replace(
      /PAGE ([^}]*)\}/,
      'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { $1 } } }',
    );
  const used = ['account: ID!', 'runId: ID!', 'endpointId: ID!', 'filingId: ID!'].filter(name =>
    query.includes(`$${name.split(':')[0]}`),
  );
  const names = ['$first: Int', '$after: String', '$last: Int', '$before: String', ...used.map(name => `$${name}`)];
  return gateway.as(of.caller).graphql(`query (${names.join(', ')}) { ${query} }`, { ...variables, ...args });
}

async function page(list: string, args: object): Promise<Page> {
  const { data, errors } = await ask(list, args);
  expect(errors).toBeUndefined();
  return (data.of?.list ?? data.list) as Page;
}

describe.each(Object.keys(LISTS))('%s', list => {
  let all: Page;
  beforeAll(async () => {
    all = await page(list, { first: 100 });
  });

  test('pages backward are the pages forward in the reverse order, of any size', async () => {
    const { totalCount } = all;
    expect(totalCount).toBeGreaterThan(2);
    expect(all.edges).toHaveLength(totalCount);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: totalCount + 1 }), async size => {
        const forward = [await page(list, { first: size })];
        for (let at = forward[0] as Page; at.pageInfo.hasNextPage; forward.push(at)) {
          at = await page(list, { first: size, after: at.pageInfo.endCursor });
        }
        expect(forward.flatMap(({ edges }) => edges)).toEqual(all.edges);
        const backward: Page[] = [];
        for (let at = forward.at(-1) as Page; at.pageInfo.hasPreviousPage; backward.unshift(at)) {
          at = await page(list, { last: size, before: at.pageInfo.startCursor });
        }
        expect(backward.map(({ edges }) => edges)).toEqual(forward.slice(0, -1).map(({ edges }) => edges));
        expect(backward.every(({ pageInfo }) => pageInfo.hasNextPage)).toBe(true);
      }),
      { numRuns: rounds(3) },
    );
  });

  test('a page is what Relay says it is, whatever bounds it', async () => {
    const { edges, totalCount } = all;
    const place = fc.option(fc.nat({ max: totalCount - 1 }), { nil: null });
    const size = fc.integer({ min: 1, max: totalCount + 1 });
    await fc.assert(
      fc.asyncProperty(size, fc.boolean(), place, place, async (count, fromEnd, from, to) => {
        const part = edges.slice(from === null ? 0 : from + 1, to ?? undefined);
        const expected = fromEnd ? part.slice(-count) : part.slice(0, count);
        const bounds = {
          ...(from !== null && { after: edges[from]?.cursor }),
          ...(to !== null && { before: edges[to]?.cursor }),
        };
        const found = await page(list, { ...bounds, ...(fromEnd ? { last: count } : { first: count }) });
        expect(found).toEqual({
          totalCount,
          edges: expected,
          pageInfo: {
            hasNextPage: to !== null || (!fromEnd && part.length > count),
            hasPreviousPage: from !== null || (fromEnd && part.length > count),
            startCursor: expected[0]?.cursor ?? null,
            endCursor: expected.at(-1)?.cursor ?? null,
          },
        });
      }),
      { numRuns: rounds(12) },
    );
  });
});

test.each<[object, string[]]>([
  [{ first: 2, last: 2 }, ['/first']],
  [{ last: 0 }, ['/last']],
  [{ last: -1, first: 0 }, ['/last', '/first']],
  [{ first: 2, before: 'x' }, ['/before']],
  [{ last: 2, after: 'x' }, ['/after']],
])('%j is refused', async (args, pointers) => {
  for (const list of Object.keys(LISTS)) {
    const { errors } = await ask(list, args);
    expect(errors?.[0].extensions.code).toBe('RULE_BROKEN');
    expect(errors?.[0].extensions.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
  }
});

test('beneficiaries that are added meanwhile shift no page, whichever way it goes', async () => {
  const given = await gateway.given.account();
  await gateway.given.beneficiaries(given, 6);
  const query = `query ($a: ID!, $last: Int, $before: String) { account(accountId: $a) { beneficiaries(last: $last, before: $before) {
    nodes { beneficiaryId } pageInfo { startCursor hasNextPage } } } }`;
  const read = async (args: object) =>
    (await gateway.as(given.caller).graphql(query, { a: given.account, ...args })).data.account.beneficiaries;
  const newest = await read({ last: 3 });
  expect(newest.pageInfo.hasNextPage).toBe(false);
  await gateway.given.beneficiaries(given, 2);
  const before = await read({ last: 3, before: newest.pageInfo.startCursor });
  expect(before.pageInfo.hasNextPage).toBe(true);
  expect(before.nodes).toHaveLength(3);
  expect(before.nodes).not.toContainEqual(newest.nodes[0]);
});
