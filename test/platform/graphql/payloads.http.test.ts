import { afterAll, expect, test } from '@jest/globals';
import { getNamedType, isNonNullType, isObjectType, type GraphQLNamedType, type GraphQLObjectType } from 'graphql';
import { SCOPES } from '../../../src/shared/caller.js';
import { inSeconds } from '../../hold/support/holds.js';
import { issue, post } from '../../statement/issue/issuing.js';
import { cardNumber } from '../../support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { servedSchema } from '../../support/served.js';
import { pdfOf } from '../../support/statement.js';

const gateway = await startTestGateway();
const schema = await servedSchema(gateway);
afterAll(() => gateway.stop());

const mutations = Object.values((schema.getMutationType() as GraphQLObjectType).getFields());

const isNode = (type: GraphQLNamedType): boolean =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');

/** The nodes in a type, itself among them, with their ids and all that needs no further record; null for none. */
function nodesOf(type: GraphQLNamedType): string | null {
  if (!isObjectType(type)) return null;
  const fields = Object.values(type.getFields()).filter(
    ({ args, deprecationReason }) => deprecationReason === undefined && !args.some(arg => isNonNullType(arg.type)),
  );
  const selected = fields.flatMap(field => {
    const named = getNamedType(field.type);
    if (isNode(type)) return isObjectType(named) || named.name === 'Node' ? [] : field.name;
    const below = nodesOf(named);
    return below ? `${field.name} ${below}` : [];
  });
  return selected.length > 0 ? `{ __typename ${selected.join(' ')} }` : null;
}

function typeOf(mutation: string): GraphQLNamedType {
  const found = mutations.find(({ name }) => name === mutation);
  if (!found) throw new Error(`there is no mutation ${mutation}`);
  return getNamedType(found.type);
}

type CallerClient = ReturnType<TestGateway['as']>;

/** Sends mutations, and notes which. */
class Performer {
  readonly performed = new Set<string>();
  constructor(private readonly client: CallerClient) {}

  as(client: CallerClient): Performer {
    return Object.assign(new Performer(client), { performed: this.performed });
  }

  /** The payload, whose nodes have an id. */
  async do<Payload = Record<string, string>>(name: string, args: string): Promise<Payload> {
    this.performed.add(name);
    const type = typeOf(name);
    const query = `mutation { ${name}(${args}) ${nodesOf(type)} }`;
    const { data, errors } = await this.client.graphql(query, {}, { headers: keyed(unique('key')) });
    expect([name, errors]).toEqual([name, undefined]);
    for (const node of JSON.stringify(data).matchAll(/\{"__typename":"(\w+)","id":"([\w-]+)"/g)) {
      expect(Buffer.from(node[2] as string, 'base64url').toString()).toMatch(new RegExp(`^${node[1]} \\S`));
    }
    return data[name] as Payload;
  }
}

const BENEFICIARY = `{ name: { first: "A", last: "B" }, beneficiaryType: PRIMARY, relationship: CHILD, sharePercentage: 1 }`;
const entryOf = (id: string, type = 'CREDIT') =>
  `{ transactionId: "${id}", amount: "9.00", debitCreditMemo: ${type}, category: "ACH", transactionType: "X", status: POSTED, transactionTimestamp: "2026-01-02T03:04:05Z", postedTimestamp: "2026-01-02T03:04:05Z" }`;

test('the nodes in the result of every mutation have an id', async () => {
  const { program, account, owners } = await gateway.given.account();
  const client = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
  const of = new Performer(client);
  const at = `accountId: "${account}"`;
  const because = 'reason: "Because"';
  await gateway.given.programRecord(program, { approvals: { changingOwners: false } });
  await of.do('updateProgram', `input: { name: "Another name" }`);

  const { customerId } = await of.do('createCustomer', `input: { name: { first: "A", last: "B" } }`);
  await of.do('updateCustomer', `customerId: "${customerId}", input: { name: { last: "C" } }`);
  await of.do('addAccountOwners', `${at}, customerIds: ["${customerId}"]`);
  await of.do('removeAccountOwners', `${at}, customerIds: ["${customerId}"]`);
  await of.do('eraseCustomer', `customerId: "${customerId}", ${because}`);

  const second = unique('acc');
  await of.do(
    'openAccount',
    `input: { accountId: "${second}", accountType: CHECKING, currency: "USD", timeZone: "UTC", interestBearing: false, owners: ["${owners[0]}"] }`,
  );
  await of.do('updateAccount', `accountId: "${second}", input: { accountType: SAVINGS }`);
  await of.do('restrictAccount', `accountId: "${second}", ${because}`);
  await of.do('unrestrictAccount', `accountId: "${second}"`);

  const { beneficiaryId } = await of.do('addBeneficiary', `${at}, input: ${BENEFICIARY}`);
  await of.do('updateBeneficiary', `${at}, beneficiaryId: "${beneficiaryId}", input: { sharePercentage: 2 }`);
  await of.do('deleteBeneficiary', `${at}, beneficiaryId: "${beneficiaryId}"`);

  const cardOf = async (status: string) =>
    of.do(
      'createCard',
      `input: { type: VIRTUAL, status: ${status}, number: "${cardNumber()}", currency: "USD", expiration: "1299", ${at}, cardHolderId: "${owners[0]}", cardProductId: "p" }`,
    );
  const { cardId } = await cardOf('INACTIVE');
  for (const step of ['activateCard', 'freezeCard', 'unfreezeCard']) await of.do(step, `${at}, cardId: "${cardId}"`);
  await of.do('reportCard', `${at}, cardId: "${cardId}", loss: LOST`);
  await of.do('closeCard', `${at}, cardId: "${(await cardOf('ACTIVE')).cardId}"`);

  const [first, other] = [unique('tx'), unique('tx')];
  await of.do('postAccountTransactions', `${at}, transactions: [${entryOf(first)}]`);
  await of.do('postAccountTransactions', `${at}, transactions: [${entryOf(other)}]`);
  await of.do('reverseTransaction', `${at}, transactionId: "${first}", ${because}`);

  const hold = () =>
    of.do(
      'placeHold',
      `${at}, input: { holdId: "${unique('hold')}", amount: "1.00", description: "Fuel", expiresAt: "${inSeconds(1000)}" }`,
    );
  await of.do('captureHold', `${at}, holdId: "${(await hold()).holdId}", amount: "1.00"`);
  await of.do('releaseHold', `${at}, holdId: "${(await hold()).holdId}"`);

  const transfer = () =>
    `{ fromAccountId: "${account}", toAccountId: "${second}", transferId: "${unique('tr')}", amount: "0.01" }`;
  const { transferId } = await of.do('transfer', `input: ${transfer()}`);
  await of.do('transfers', `inputs: [${transfer()}]`);
  await of.do('reverseTransfer', `transferId: "${transferId}", ${because}`);

  const pdf = pdfOf().toString('base64');
  await of.do('addStatement', `${at}, input: { statementDate: "2026-01-31", document: "${pdf}" }`);

  await cardOf('ACTIVE');
  const simulated = `input: { ${at} }`;
  for (const kind of ['AchCredit', 'Wire', 'Interest', 'MonthlyFee']) await of.do(`simulate${kind}`, simulated);
  const debit = await of.do('simulateAchDebit', simulated);
  await of.do('simulateAchReturn', `input: { ${at}, transactionId: "${debit['transactionId']}", code: R01 }`);
  const incoming = await of.do('simulateIncomingTransfer', `input: { ${at}, fromAccountId: "${second}" }`);
  await of.do('simulateTransferReturn', `input: { ${at}, transferId: "${incoming['transferId']}" }`);
  const holdOf = async () => `${at}, holdId: "${(await of.do('simulateCardAuthorization', simulated))['holdId']}"`;
  const captured = await of.do<{ holdId: string }>('simulateCardCapture', `input: { ${await holdOf()} }`);
  await of.do('simulateCardRefund', `input: { ${at}, transactionId: "${captured.holdId}~1" }`);
  await of.do('simulateCardReversal', `input: { ${await holdOf()} }`);
  await of.do('simulateHoldExpiry', `input: { ${await holdOf()} }`);
  await of.do('simulateMonthClose', 'input: {}');
  await of.do('simulateClock', 'input: { forward: "P1D" }');
  await of.do('setTransferLimits', `${at}, patch: { perDay: "7.00" }`);

  // A year leaves out an account whose owner has no address.
  const { customer } = await gateway.given.customer({ program, addresses: [] });
  const without = await gateway.given.account({ program, owners: [customer] });
  await post(gateway, without, [{ at: '2019-03-05', amount: '10.00', type: 'INTEREST' }]);
  const { runId } = await issue(gateway, '1099', '2019', program);
  await of.do('rerunStatementRun', `runId: "${runId}"`);

  const url = 'https://hooks.payloads.example/in';
  const created = await of.do<{ endpoint: { endpointId: string } }>(
    'createWebhookEndpoint',
    `input: { url: "${url}" }`,
  );
  const endpoint = `endpointId: "${created.endpoint.endpointId}"`;
  await of.do('updateWebhookEndpoint', `${endpoint}, input: { description: "Ledger" }`);
  await of.do('rotateWebhookSecret', endpoint);
  const { deliveryId } = await of.do('sendTestEvent', `${endpoint}, type: "card.frozen"`);
  await of.do('resendWebhookDelivery', `deliveryId: "${deliveryId}"`);
  await of.do('recoverWebhookEndpoint', `${endpoint}, since: "${inSeconds(-60)}"`);
  await of.do('deleteWebhookEndpoint', endpoint);

  const closing = await gateway.given.account({ program });
  await of.do('closeAccount', `accountId: "${closing.account}", ${because}`);

  await gateway.given.programRecord(program, { approvals: { closingAccounts: true } });
  const approver = of.as(gateway.as(await gateway.caller({ program, scopes: SCOPES, subject: 'approver' })));
  for (const [verdict, args] of [
    ['approveApproval', ''],
    ['rejectApproval', `, ${because}`],
  ] as const) {
    const path = `/accounts/${(await gateway.given.account({ program })).account}/close`;
    const waiting = await client.rest.post(path, { reason: 'Because' }, keyed(unique('key')));
    await approver.do(verdict, `approvalId: "${waiting.body.approvalId}"${args}`);
  }

  const withNodes = mutations.filter(({ type }) => nodesOf(getNamedType(type)) !== null).map(({ name }) => name);
  expect(mutations.length - withNodes.length).toBeLessThan(mutations.length / 2);
  expect([...of.performed].sort()).toEqual(withNodes.sort());
});
