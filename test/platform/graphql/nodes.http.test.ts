import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isInterfaceType } from 'graphql';
import type { Scope } from '../../../src/shared/caller.js';
import { HoldClient } from '../../hold/support/holds.js';
import { newCard } from '../../support/card.js';
import {
  type GraphqlAnswer,
  keyed,
  scopesWithout,
  startTestGateway,
  unique,
  type TestGateway,
} from '../../support/gateway.js';
import { servedSchema } from '../../support/served.js';
import type { GivenAccount } from '../../support/given.js';
import { make, transferOf } from '../../transfer/support/transfers.js';
import { issue } from '../../statement/issue/issuing.js';
import { entries, post } from '../../transaction/support/ledger.js';

interface NodeAnswer {
  readonly __typename: string;
  readonly id: string;
}
type Data = Readonly<Record<string, NodeAnswer | null>> & { readonly nodes: readonly (NodeAnswer | null)[] | null };

/** Every type of records, with what reading it needs. */
const SCOPES: Readonly<Record<string, Scope>> = {
  Account: 'accounts.read',
  Owner: 'accounts.read',
  Beneficiary: 'beneficiaries.read',
  Card: 'cards.read',
  Transaction: 'transactions.read',
  Hold: 'transactions.read',
  Statement: 'statements.read',
  Customer: 'operations.read',
  Approval: 'operations.read',
  Program: 'operations.read',
  StatementRun: 'operations.read',
  TaxFiling: 'operations.read',
  WebhookEndpoint: 'operations.read',
  WebhookDelivery: 'operations.read',
  Event: 'operations.read',
  Transfer: 'transactions.read',
};
const ofAccounts = Object.keys(SCOPES).filter(type => SCOPES[type] !== 'operations.read');

const RECORDS = `query ($account: ID!, $customer: ID!) {
  account(accountId: $account) { __typename id
    owners { __typename id } beneficiaries { nodes { __typename id } } cards { __typename id holder { __typename id } }
    holds { nodes { __typename id } } transfers { nodes { __typename id } } statements { nodes { __typename id } } transactions { nodes { __typename id } } }
  customer(customerId: $customer) { __typename id } program { __typename id } approvals { nodes { __typename id } }
  statementRuns { nodes { __typename id } } taxFilings { nodes { __typename id } } events(first: 1) { nodes { __typename id } }
  webhookEndpoints { nodes { __typename id deliveries { nodes { __typename id } } } } }`;
const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';

let gateway: TestGateway;
let of: GivenAccount;
let other: GivenAccount;
/** One of each type, and all of the account. */
let one: Readonly<Record<string, string>>;
let all: readonly string[];
beforeAll(async () => {
  gateway = await startTestGateway();
  of = await gateway.given.account({ owners: 2, balanceMinor: 0n });
  other = await gateway.given.account({ program: of.program });
  const { program, account, caller, owners } = of;
  const as = gateway.as(caller);
  const { rest } = as;
  await gateway.given.beneficiaries(of, 2);
  await rest.post('/cards/v1/cards', newCard(account, owners[0] as string));
  await post(gateway, of, entries(3));
  await new HoldClient(gateway, of).placed();
  await make(gateway, 'REST', caller, transferOf({ from: of, to: await gateway.given.account({ program }) }));
  await gateway.given.programRecord(program, { approvals: { changingOwners: true } });
  await gateway.given.statement({ of });
  await gateway.given.taxFiling(program);
  await issue(gateway, 'close', '2026-03', program);
  const { endpointId } = (await rest.post('/webhook-endpoints', { url: 'https://hooks.nodes.example/t' })).body;
  await rest.post(`/webhook-endpoints/${endpointId}/test`, { type: 'card.frozen' });
  const { customer } = await gateway.given.customer({ program });
  await rest.post(`/accounts/${account}/owners/add`, { holders: [{ customerId: customer }] }, keyed(unique('key')));
  const { text, errors } = await as.graphql(RECORDS, { account, customer });
  expect(errors).toBeUndefined();
  const found = [...text.matchAll(/"__typename":"(\w+)","id":"([\w-]+)"/g)];
  one = Object.fromEntries(found.map(([, type = '', id = '']) => [type, id]));
  all = found.map(([, , id = '']) => id);
});
afterAll(() => gateway.stop());

async function read(ids: readonly string[], caller: string): Promise<GraphqlAnswer<Data>> {
  return gateway.as(caller).graphql<Data>(NODES, { ids });
}

test('every record that a cache can keep has an id, and is read by it as it was found', async () => {
  const schema = await servedSchema(gateway, { hasSandbox: false });
  const node = schema.getType('Node');
  const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
  expect(types.toSorted()).toEqual(Object.keys(SCOPES).toSorted());
  expect(Object.keys(one).toSorted()).toEqual(types.toSorted());
  expect(new Set(all).size).toBe(all.length);

  const { data, errors } = await read(all, of.caller);
  expect(errors).toBeUndefined();
  expect(data.nodes?.map(found => found?.id)).toEqual(all);
  for (const [type, id] of Object.entries(one)) {
    const answer = await gateway
      .as(of.caller)
      .graphql<Data>('query ($id: ID!) { node(id: $id) { __typename id } }', { id });
    expect(answer.data['node']).toEqual({ __typename: type, id });
  }
});

test('what a node is asked for are the fields of its type, those of what belongs to it included', async () => {
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { id
    ... on Account { accountId beneficiaries(first: 1) { totalCount nodes { id } } }
    ... on Beneficiary { beneficiaryId dateOfBirth account { accountId } }
    ... on Transaction { transactionId lineItems { description } account { id availableBalance } }
    ... on Owner { customerId isPrimary contact { email } } } }`;
  const ids = [one['Account'], one['Beneficiary'], one['Transaction'], one['Owner']];
  const { data, errors } = await gateway.as(of.caller).graphql(query, { ids });
  expect(errors).toBeUndefined();
  expect(data.nodes).toEqual([
    { id: ids[0], accountId: of.account, beneficiaries: { totalCount: 2, nodes: [expect.anything()] } },
    { id: ids[1], beneficiaryId: expect.any(String), dateOfBirth: '1990-05-06', account: { accountId: of.account } },
    expect.objectContaining({
      id: ids[2],
      lineItems: [],
      account: { id: ids[0], availableBalance: expect.any(String) },
    }),
    { id: ids[3], customerId: of.owners[1], isPrimary: false, contact: { email: [expect.any(String)] } },
  ]);
});

test('an owner of one account is another record than the same customer as the owner of another', async () => {
  const second = await gateway.given.account({ program: of.program, owners: of.owners });
  const query = 'query ($a: ID!) { account(accountId: $a) { owners { id customerId } } }';
  const owners = async (account: string) =>
    (await gateway.as(of.caller).graphql(query, { a: account })).data.account.owners as {
      id: string;
      customerId: string;
    }[];
  const [here, there] = [await owners(of.account), await owners(second.account)];
  expect(here.map(({ customerId }) => customerId)).toEqual(there.map(({ customerId }) => customerId));
  expect(new Set([...here, ...there].map(({ id }) => id)).size).toBe(4);
});

test('an id does not name the program, and is the same over and over', async () => {
  for (const [type, id] of Object.entries(one)) {
    if (type !== 'Program') expect(Buffer.from(id, 'base64url').toString()).not.toContain(of.program);
  }
  // Also where a fragment of the interface selects it, which selects nothing of other types.
  const query = `query ($a: ID!) { account(accountId: $a) { ...F beneficiaries { nodes { id ...F } } } }
    fragment F on Node { id ... on Account { currency } ... on Card { last4 } }`;
  const answers = new Set<string>();
  // More often than it takes for a query to be compiled.
  for (let time = 0; time < 5; time++) {
    answers.add((await gateway.as(of.caller).graphql(query, { a: of.account })).text);
  }
  expect([...answers].map(text => JSON.parse(text) as unknown)).toEqual([
    {
      data: {
        account: {
          id: one['Account'],
          currency: 'USD',
          beneficiaries: { nodes: [expect.anything(), { id: one['Beneficiary'] }] },
        },
      },
    },
  ]);
});

describe('nobody reads more by an id than without one', () => {
  test('another program reads nothing', async () => {
    const stranger = await gateway.caller({ program: gateway.given.program() });
    const { data, errors } = await read(all, stranger);
    expect(errors).toBeUndefined();
    expect(data.nodes).toEqual(all.map(() => null));
  });

  test('a customer reads what belongs to accounts of the customer, and no records of the program', async () => {
    const ids = Object.values(one);
    const owner = await read(ids, await gateway.caller({ program: of.program, customerId: of.owners[0] as string }));
    const seen = Object.keys(one).filter((_, index) => owner.data.nodes?.[index]);
    expect(seen.toSorted()).toEqual(ofAccounts.toSorted());
    expect(owner.errors?.map(({ path, extensions }) => [Object.keys(one)[Number(path?.[1])], extensions.code])).toEqual(
      Object.keys(one)
        .filter(type => !ofAccounts.includes(type))
        .map(type => [type, 'PROGRAM_WIDE_ONLY']),
    );
    const neighbour = await read(
      ofAccounts.map(type => one[type] as string),
      await gateway.caller({ program: of.program, customerId: other.owners[0] as string }),
    );
    expect(neighbour.errors).toBeUndefined();
    expect(neighbour.data.nodes).toEqual(ofAccounts.map(() => null));
  });

  test.each(Object.entries(SCOPES))('%s needs the scope %s, whether there is one or not', async (type, scope) => {
    const caller = await gateway.caller({ program: of.program, scopes: scopesWithout(scope) });
    const strange = Buffer.from(
      `${type} ${Buffer.from(one[type] as string, 'base64url')
        .toString()
        .split(' ')
        .slice(1)
        .map(() => randomUUID())
        .join(' ')}`,
    );
    const ids = [one[type] as string, strange.toString('base64url'), one[type === 'Card' ? 'Hold' : 'Card'] as string];
    const { data, errors } = await read(ids, caller);
    expect(data.nodes).toEqual([null, null, expect.objectContaining({ id: ids[2] })]);
    expect(errors?.map(({ path, extensions: { code } }) => [path, code])).toEqual([
      [['nodes', 0], 'INSUFFICIENT_SCOPE'],
      [['nodes', 1], 'INSUFFICIENT_SCOPE'],
    ]);
  });
});

test('the account of a record needs the scope accounts.read, and costs its field alone', async () => {
  const types = ['Beneficiary', 'Card', 'Hold', 'Statement', 'Transaction'];
  const links = types.map(type => `... on ${type} { account { accountId } }`).join(' ');
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { id ${links} } }`;
  const ids = types.map(type => one[type] as string);
  const caller = await gateway.caller({ program: of.program, scopes: scopesWithout('accounts.read') });
  const { data, errors } = await gateway.as(caller).graphql<Data>(query, { ids });
  expect(data.nodes).toEqual(ids.map(id => ({ id, account: null })));
  const told = errors?.map(({ path, extensions: { code } }) => `${path?.join('.')} ${code}`);
  expect(told?.toSorted()).toEqual(ids.map((_, index) => `nodes.${index}.account INSUFFICIENT_SCOPE`));
});

test('what is no id is null, like an id of nothing, and the order is that of the request', async () => {
  const id = (text: string) => Buffer.from(text).toString('base64url');
  const account = one['Account'] as string;
  const beneficiary = Buffer.from(one['Beneficiary'] as string, 'base64url').toString();
  const nothing = [
    '',
    'x',
    '!!!',
    `${account}=`,
    `${account}AA`,
    'MTI',
    '__proto__',
    id('__proto__ x'),
    id('toString'),
    id('Event 1'),
    ...['Account', 'Account ', 'Account  x', `Account ${of.account} x`, `account ${of.account}`, 'Account \0'].map(id),
    ...[
      `Beneficiary ${of.account}`,
      `Beneficiary ${of.account} x`,
      `Beneficiary ${other.account} ${beneficiary.split(' ')[2]}`,
    ].map(id),
    id(beneficiary.replace(/\S+$/, uuid => uuid.toUpperCase())),
    ...Object.keys(one).flatMap(type =>
      [`${type} x`, `${type} x y`, `${type} ${of.account} é\u0000`, `${type} ${randomUUID()}`].map(id),
    ),
  ];
  for (let from = 0; from < nothing.length; from += 50) {
    const asked = nothing.slice(from, from + 50);
    const { data, errors } = await read([account, ...asked, account], of.caller);
    expect(errors).toBeUndefined();
    expect(data.nodes).toEqual([
      expect.objectContaining({ id: account }),
      ...asked.map(() => null),
      expect.objectContaining({ id: account }),
    ]);
  }
});

test('at most a hundred are read at once', async () => {
  const hundred = Array.from({ length: 100 }, () => one['Account'] as string);
  expect((await read(hundred, of.caller)).data.nodes).toHaveLength(100);
  const { data, errors } = await read([...hundred, 'x'], of.caller);
  expect(data.nodes).toBeNull();
  expect(errors?.[0].extensions).toMatchObject({ code: 'RULE_BROKEN', errors: [{ pointer: '/ids', code: 'size' }] });
});

test('what a mutation returns has the id, and the account as it is then', async () => {
  const { account, caller, owners, program } = await gateway.given.account();
  const { customer } = await gateway.given.customer({ program });
  const write = async (field: string, headers = {}) => {
    const { data, errors } = await gateway.as(caller).graphql(`mutation { done: ${field} }`, {}, { headers });
    expect(errors).toBeUndefined();
    return data.done;
  };
  const a = `accountId: "${account}"`;
  const input =
    'beneficiary: { name: { first: "A", last: "B" }, beneficiaryType: PRIMARY, relationship: CHILD, sharePercentage: 5 }';
  const count = 'account { beneficiaries { totalCount } }';
  const key = keyed(unique('key'));
  const add = `addBeneficiary(input: { ${a}, ${input} }) { beneficiary { id beneficiaryId ${count} } }`;
  const { beneficiary: added } = await write(add, key);
  expect(added.account).toEqual({ beneficiaries: { totalCount: 1 } });
  expect(await write(add, key)).toEqual({ beneficiary: added });
  const { id, beneficiaryId } = added;
  const found = await read([id], caller);
  expect(found.data.nodes).toEqual([{ __typename: 'Beneficiary', id }]);
  const named = `${a}, beneficiaryId: "${beneficiaryId}"`;
  expect(
    await write(
      `updateBeneficiary(input: { ${named}, patch: { sharePercentage: 6 } }) { beneficiary { id sharePercentage } }`,
    ),
  ).toEqual({ beneficiary: { id, sharePercentage: 6 } });
  expect(await write(`deleteBeneficiary(input: { ${named} }) { beneficiary { id ${count} } }`)).toEqual({
    beneficiary: { id, account: { beneficiaries: { totalCount: 0 } } },
  });
  expect((await read([id], caller)).data.nodes).toEqual([null]);

  const ofOwners = 'results { owner { id customerId } } account { owners { id } }';
  const owning = await write(`addAccountOwners(input: { ${a}, customerIds: "${customer}" }) { ${ofOwners} }`);
  const [{ owner }] = owning.results;
  expect(owning.account.owners).toHaveLength(2);
  expect(owning.account.owners[1].id).toBe(owner.id);
  const gone = await write(`removeAccountOwners(input: { ${a}, customerIds: "${owners[0]}" }) { ${ofOwners} }`);
  expect(gone).toEqual({ results: [{ owner: null }], account: { owners: [{ id: owner.id }] } });

  const transaction = `{ transactionId: "t-1", amount: "12.50", direction: CREDIT, category: "ACH", transactionType: "X", status: POSTED,
    transactedAt: "2026-03-31T18:05:00Z", postedAt: "2026-03-31T18:05:00Z" }`;
  const posting = `postAccountTransactions(input: { ${a}, transactions: [${transaction}] }) { transactions { id account { id availableBalance } } }`;
  const [posted] = (await write(posting)).transactions;
  expect(posted.account.availableBalance).toBe('12.50');
  expect((await read([posted.account.id, posted.id], caller)).data.nodes?.map(node => node?.__typename)).toEqual([
    'Account',
    'Transaction',
  ]);
});
