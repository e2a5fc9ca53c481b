import { OF_BENEFICIARY, OF_CUSTOMER, OF_OWNER, OF_OWNER_WITH_ID, type ShownKind } from './canaries.js';
import type { CanaryGateway } from './house.js';
import type { CanaryRecords } from './records.js';

/** Reads everything back over REST and GraphQL, as callers with and without the right to see government ids whole. */
export async function readOverBothApis(house: CanaryGateway, { account, other }: CanaryRecords): Promise<void> {
  const [usual, withIds] = await Promise.all([house.caller(), house.caller('pii.read')]);
  const list = `/accounts/${account}/beneficiaries`;
  // A list has names and masked tax ids alone (2.1, rule 3).
  const { body: page } = await house.ask(usual, { path: list });
  for (const { beneficiaryId } of page.accountBeneficiaries) {
    await house.ask(usual, { path: `${list}/${beneficiaryId}` }, OF_BENEFICIARY);
  }
  await house.ask(usual, { path: `/customers/${other}` }, OF_CUSTOMER);
  await house.ask(withIds, { path: `/customers/${other}` }, [...OF_CUSTOMER, ...OF_OWNER_WITH_ID]);
  for (const path of [
    `/accounts/${account}`,
    `/accounts/${account}/transactions`,
    `/accounts/${account}/statements`,
    '/program',
    '/overview',
    '/viewer',
    '/search?text=Thrush',
    `/accounts/${account}/event-chain`,
    '/statement-runs',
    '/tax-filings',
    '/tax-years/2025',
    '/tax-years/2025/payees?list=POST',
    '/metrics',
    '/readyz',
    '/livez',
  ]) {
    await house.ask(usual, { path });
  }
  const of = { account };
  await graphql(house, usual, EVERYTHING, of, [...OF_BENEFICIARY, ...OF_OWNER]);
  await graphql(house, withIds, EVERYTHING, of, [...OF_BENEFICIARY, ...OF_OWNER_WITH_ID]);
  await graphql(house, usual, CUSTOMER, { other }, OF_CUSTOMER);
  await graphql(house, usual, MASKED, of);
  await graphql(house, withIds, MASKED, of);
  const body = { holders: [{ customerId: other }] };
  await house.ask(withIds, { method: 'POST', path: `/accounts/${account}/owners/add`, body }, OF_OWNER_WITH_ID);
  await house.ask(withIds, { method: 'POST', path: `/accounts/${account}/owners/remove`, body });
}

/** Reads it once more as an agent with all scopes, over both APIs and by a tool of a careless bank: it is shown nothing. */
export async function readAsAgent(house: CanaryGateway, { account, other }: CanaryRecords): Promise<void> {
  const agent = await house.caller('pii.read', 'agent');
  const list = `/accounts/${account}/beneficiaries`;
  const { body: page } = await house.ask(agent, { path: list });
  for (const { beneficiaryId } of page.accountBeneficiaries) {
    await house.ask(agent, { path: `${list}/${beneficiaryId}` });
  }
  for (const path of ['/customers', `/customers/${other}`, '/requests']) {
    await house.ask(agent, { path });
  }
  await graphql(house, agent, EVERYTHING, { account });
  await graphql(house, agent, CUSTOMER, { other });
  const params = { name: 'everyone', arguments: { accountId: account } };
  const { text } = await house.ask(agent, {
    method: 'POST',
    path: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  if (!text.includes('"structuredContent"')) throw new Error(`A tool was refused: ${text}`);
}

async function graphql(
  house: CanaryGateway,
  token: string,
  query: string,
  variables: object,
  mayShow?: readonly ShownKind[],
): Promise<void> {
  const { body } = await house.ask(token, { method: 'POST', path: '/graphql', body: { query, variables } }, mayShow);
  if (body.errors) throw new Error(`A query was refused: ${JSON.stringify(body.errors)}`);
}

const EVERYTHING = `query ($account: ID!) { account(accountId: $account) {
  owners { customerId name { first } taxId governmentId contact { email telephones { number } } }
  beneficiaries { totalCount nodes { taxId dateOfBirth addresses { line1 line2 line3 } emails { email } phones { number } } }
  cards { cardId number last4 expiration pinIsSet status }
  transactions { nodes { transactionId amount description } } } }`;

const CUSTOMER = `query ($other: ID!) { customer(customerId: $other) {
  taxId governmentId dateOfBirth contact { email telephones { number } } addresses { line1 line2 line3 } } }`;

/** What is masked to everybody, or is no personal data. */
const MASKED = `query ($account: ID!) { account(accountId: $account) {
    owners { customerId name { first last } taxId } beneficiaries { nodes { taxId name { first last } } } cards { number last4 } }
  accounts { nodes { accountId availableBalance } } transactions { nodes { transactionId description memo } }
  statementRuns { nodes { runId leftOut { nodes { accountId reasons } } } }
  viewer { subject scopes programName } search(text: "Robin Thrush") { label detail account { owners { taxId } } }
  program { name letterhead { name } payer { name taxId } } programOverview { currencies { currency deposits days { credits } } }
  events(first: 100) { nodes { audit { clientId subject requestId action data } accountId object } } }`;
