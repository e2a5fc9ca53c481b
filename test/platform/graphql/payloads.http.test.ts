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

/** The records of a payload by their fields, each with its values. */
type Payload = Readonly<Record<string, Readonly<Record<string, string>>>>;

type CallerClient = ReturnType<TestGateway['as']>;

/** Sends mutations, and notes which. */
class Performer {
  readonly performed = new Set<string>();
  constructor(private readonly client: CallerClient) {}

  as(client: CallerClient): Performer {
    return Object.assign(new Performer(client), { performed: this.performed });
  }

  /** The payload, whose nodes have an id. */
  async do(name: string, input: string): Promise<Payload> {
    this.performed.add(name);
    const type = typeOf(name);
    const query = `mutation { ${name}(input: { ${input} }) ${nodesOf(type)} }`;
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
  `{ transactionId: "${id}", amount: "9.00", direction: ${type}, category: "ACH", transactionType: "X", status: POSTED, transactedAt: "2026-01-02T03:04:05Z", postedAt: "2026-01-02T03:04:05Z" }`;

test('the nodes in the result of every mutation have an id', async () => {
  const { program, account, owners } = await gateway.given.account();
  const client = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
  const of = new Performer(client);
  const at = `accountId: "${account}"`;
  const because = 'reason: "Because"';
  await gateway.given.programRecord(program, { approvals: { changingOwners: false } });
  await of.do('updateProgram', `patch: { name: "Another name" }`);

  const created = await of.do('createCustomer', `customer: { name: { first: "A", last: "B" } }`);
  const customerId = created['customer']?.['customerId'];
  const named = `customerId: "${customerId}"`;
  await of.do('updateCustomer', `${named}, patch: { name: { last: "C" } }`);
  await of.do('addAccountOwners', `${at}, customerIds: ["${customerId}"]`);
  await of.do('removeAccountOwners', `${at}, customerIds: ["${customerId}"]`);
  await of.do('eraseCustomer', `${named}, ${because}`);

  const second = unique('acc');
  await of.do(
    'openAccount',
    `account: { accountId: "${second}", accountType: CHECKING, currency: "USD", timeZone: "UTC", interestBearing: false, owners: ["${owners[0]}"] }`,
  );
  await of.do('updateAccount', `accountId: "${second}", patch: { accountType: SAVINGS }`);
  await of.do('restrictAccount', `accountId: "${second}", ${because}`);
  await of.do('unrestrictAccount', `accountId: "${second}"`);

  const { beneficiary } = await of.do('addBeneficiary', `${at}, beneficiary: ${BENEFICIARY}`);
  const share = `${at}, beneficiaryId: "${beneficiary?.['beneficiaryId']}"`;
  await of.do('updateBeneficiary', `${share}, patch: { sharePercentage: 2 }`);
  await of.do('deleteBeneficiary', share);

  const cardOf = async (status: string) => {
    const { card } = await of.do(
      'createCard',
      `card: { type: VIRTUAL, status: ${status}, number: "${cardNumber()}", currency: "USD", expiration: "1299", ${at}, cardHolderId: "${owners[0]}", cardProductId: "p" }`,
    );
    return `${at}, cardId: "${card?.['cardId']}"`;
  };
  const inactive = await cardOf('INACTIVE');
  for (const step of ['activateCard', 'freezeCard', 'unfreezeCard']) await of.do(step, inactive);
  await of.do('reportCard', `${inactive}, loss: LOST`);
  await of.do('closeCard', await cardOf('ACTIVE'));

  const [first, other] = [unique('tx'), unique('tx')];
  await of.do('postAccountTransactions', `${at}, transactions: [${entryOf(first)}]`);
  await of.do('postAccountTransactions', `${at}, transactions: [${entryOf(other)}]`);
  await of.do('reverseTransaction', `${at}, transactionId: "${first}", ${because}`);

  const holdIn = (payload: Payload) => `${at}, holdId: "${payload['hold']?.['holdId']}"`;
  const hold = async () => {
    const placed = await of.do(
      'placeHold',
      `${at}, hold: { holdId: "${unique('hold')}", amount: "1.00", description: "Fuel", expiresAt: "${inSeconds(1000)}" }`,
    );
    return holdIn(placed);
  };
  await of.do('captureHold', `${await hold()}, amount: "1.00"`);
  await of.do('releaseHold', await hold());

  const transfer = () =>
    `{ fromAccountId: "${account}", toAccountId: "${second}", transferId: "${unique('tr')}", amount: "0.01" }`;
  const { transfer: made } = await of.do('createTransfer', `transfer: ${transfer()}`);
  await of.do('createTransfers', `transfers: [${transfer()}]`);
  await of.do('reverseTransfer', `transferId: "${made?.['transferId']}", ${because}`);

  const pdf = pdfOf().toString('base64');
  await of.do('addStatement', `${at}, statement: { statementDate: "2026-01-31", document: "${pdf}" }`);

  await cardOf('ACTIVE');
  for (const kind of ['AchCredit', 'Wire', 'Interest', 'MonthlyFee']) await of.do(`simulate${kind}`, at);
  const { transaction: debit } = await of.do('simulateAchDebit', at);
  await of.do('simulateAchReturn', `${at}, transactionId: "${debit?.['transactionId']}", code: R01`);
  const { transfer: incoming } = await of.do('simulateIncomingTransfer', `${at}, fromAccountId: "${second}"`);
  await of.do('simulateTransferReturn', `${at}, transferId: "${incoming?.['transferId']}"`);
  const holdOf = async () => holdIn(await of.do('simulateCardAuthorization', at));
  const { hold: captured } = await of.do('simulateCardCapture', await holdOf());
  await of.do('simulateCardRefund', `${at}, transactionId: "${captured?.['holdId']}~1"`);
  await of.do('simulateCardReversal', await holdOf());
  await of.do('simulateHoldExpiry', await holdOf());
  await of.do('simulateMonthClose', '');
  await of.do('simulateClock', 'forward: "P1D"');
  await of.do('setTransferLimits', `${at}, patch: { perDay: "7.00" }`);

  // A year leaves out an account whose owner has no address.
  const { customer } = await gateway.given.customer({ program, addresses: [] });
  const without = await gateway.given.account({ program, owners: [customer] });
  await post(gateway, without, [{ at: '2019-03-05', amount: '10.00', type: 'INTEREST' }]);
  const { runId } = await issue(gateway, '1099', '2019', program);
  await of.do('rerunStatementRun', `runId: "${runId}"`);
  await of.do('startStatementRun', 'documentType: TAX_1099, period: "2018"');
  const address = 'address: { line1: "3 Quay Street", city: "Port Ambergill", state: "OR", postalCode: "97000" }';
  const contact = 'contact: { name: "Pat Quill", email: "tax@bank.example", telephone: "+1 503 555 0199" }';
  const transmitter = `transmitter: { tcc: "ABC12", softwareId: "26A0000001", taxId: "98-7654321", name: "Harbor", ${address}, ${contact} }`;
  await of.do('startTaxFiling', `taxYear: 2026, ${transmitter}`);
  const filingId = await gateway.given.taxFiling(program);
  const answer = `<a><UniqueTransmissionId>${filingId}:IRIS:ABC12::A</UniqueTransmissionId><TransmissionStatusCd>Accepted</TransmissionStatusCd></a>`;
  await of.do('acknowledgeTaxFiling', `answer: "${Buffer.from(answer).toString('base64')}"`);
  await of.do('markTaxFiling', `filingId: "${filingId}", outcome: ACCEPTED`);
  await gateway.sql.query(
    `SELECT graphile_worker.add_job('nothing', job_key => $1 || ':0', run_at => now() + interval '1 day')`,
    [runId],
  );
  await of.do('stopStatementRun', `runId: "${runId}"`);

  const url = 'https://hooks.payloads.example/in';
  const { endpoint: target } = await of.do('createWebhookEndpoint', `endpoint: { url: "${url}" }`);
  const endpoint = `endpointId: "${target?.['endpointId']}"`;
  await of.do('updateWebhookEndpoint', `${endpoint}, patch: { description: "Ledger" }`);
  await of.do('rotateWebhookSecret', endpoint);
  const { delivery } = await of.do('sendTestEvent', `${endpoint}, type: "card.frozen"`);
  await of.do('resendWebhookDelivery', `deliveryId: "${delivery?.['deliveryId']}"`);
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
