import { randomUUID } from 'node:crypto';
import type { HttpRequest } from '../../support/http.js';
import type { Canaries, CardSecrets, Person } from './canaries.js';
import type { CanaryGateway } from './house.js';
import { beneficiaryOf, cardOf, type CanaryRecords } from './records.js';

/** Requests that are wrong on purpose, with canaries at every place of them. None of their answers may hold any. */
export async function sendBadRequests(house: CanaryGateway, canaries: Canaries, given: CanaryRecords): Promise<void> {
  const token = await house.caller();
  const person = canaries.person('stray', 'bad requests');
  const card = canaries.card('stray', 'bad requests');
  const list = `/accounts/${given.account}/beneficiaries`;
  const missing = `${list}/${randomUUID()}`;
  for (const body of badBodies(person)) {
    for (const path of [
      list,
      `/accounts/${given.account}/owners/add`,
      `/accounts/${given.account}/owners/remove`,
      '/cards/v1/cards',
      '/accounts',
      '/customers',
      `/accounts/${given.account}/restrict`,
      '/graphql',
    ]) {
      await house.ask(token, { method: 'POST', path, body });
    }
    for (const path of [missing, `/accounts/${given.account}`, `/customers/${given.other}`]) {
      await house.ask(token, { method: 'PATCH', path, body });
    }
  }
  for (const record of badBeneficiaries(person)) {
    await house.ask(token, { method: 'POST', path: list, body: record });
    await house.ask(token, { method: 'PATCH', path: missing, body: record });
    await house.ask(token, graphql(ADD, { account: given.account, input: record }));
    await house.ask(token, graphql(UPDATE, { account: given.account, id: randomUUID(), input: record }));
  }
  for (const record of badBeneficiaries(person)) {
    await house.ask(token, { method: 'POST', path: '/customers', body: record });
    await house.ask(token, { method: 'PATCH', path: `/customers/${given.other}`, body: record });
  }
  for (const record of badCards(card, given)) {
    await house.ask(token, { method: 'POST', path: '/cards/v1/cards', body: record });
    await house.ask(token, graphql(CREATE, { input: { ...record, type: 'PHYSICAL', status: 'ACTIVE' } }));
  }
  for (const body of badOperations(person, card)) await house.ask(token, { method: 'POST', path: '/graphql', body });
}

const ADD = `mutation ($account: ID!, $input: BeneficiaryInput!) { addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { taxId } } }`;
const UPDATE = `mutation ($account: ID!, $id: ID!, $input: BeneficiaryPatch!) {
  updateBeneficiary(input: { accountId: $account, beneficiaryId: $id, patch: $input }) { beneficiary { taxId } } }`;
const CREATE = `mutation ($input: CardInput!) { createCard(input: { card: $input }) { card { number } } }`;

function graphql(query: string, variables: object): HttpRequest {
  return { method: 'POST', path: '/graphql', body: { query, variables } };
}

/** All that is known of a person, in one line. */
function lineOf({ taxId, governmentId, email, phone, birthDate, streets }: Person): string {
  return [taxId, governmentId, email, phone, birthDate, ...streets].join(' ');
}

/** What no reader of JSON gets through, or what is another kind of JSON than was asked for. */
function badBodies(person: Person): (string | Buffer)[] {
  const whole = JSON.stringify(beneficiaryOf(person));
  return [
    whole.slice(0, -3),
    `${whole.slice(0, -1)},}`,
    whole.replaceAll('"', "'"),
    lineOf(person),
    JSON.stringify(lineOf(person)),
    JSON.stringify(Object.values(person)),
    Buffer.from(whole, 'utf16le'),
    Buffer.from(`{"query":"${lineOf(person)}"}`, 'latin1'),
    `{"query":"${'x'.repeat(1024 * 1024)}${lineOf(person)}"}`,
    `{"query":${whole},"operationName":${whole},"variables":${JSON.stringify(lineOf(person))}}`,
  ];
}

/** Good JSON with values of a wrong type or form, and with unknown names. */
function badBeneficiaries(person: Person): object[] {
  const good = beneficiaryOf(person);
  const { taxId, governmentId, email, phone, birthDate, streets } = person;
  const values = [taxId, governmentId, email, phone, birthDate, ...streets];
  const address = { line1: streets[0], city: governmentId, postalCode: phone };
  return [
    ...Object.keys(good).map(name => ({ ...good, [name]: lineOf(person) })),
    ...values.map(value => ({ ...good, [value]: value })),
    ...values.map(value => ({ ...good, name: { first: value, last: value, [value]: value } })),
    { ...good, taxIdType: taxId, beneficiaryType: governmentId, relationship: email, sharePercentage: phone },
    { ...good, taxId: `${taxId}${taxId}` },
    { ...good, taxId: `***${taxId}` },
    { ...good, dateOfBirth: `${birthDate}T12:00:00Z` },
    { ...good, dateOfBirth: birthDate.replace(/^19/, '29') },
    { ...good, addresses: [{ ...address, country: taxId, type: email }, lineOf(person)] },
    { ...good, addresses: [{ ...address, line2: `${streets[1]}\u0000`, country: 'US', type: 'HOME' }] },
    { ...good, emails: [{ type: phone, email: `${email} ${taxId}` }, { email }] },
    { ...good, phones: [{ type: 'CELL', country: email, number: phone.repeat(5) }, [phone]] },
    { ...good, phones: Array.from({ length: 11 }, () => ({ type: 'CELL', number: phone })) },
    { ...good, sharePercentage: 101 },
  ];
}

/**
 * Wrong check digit, foreign last four digits, letters in the PIN and their like. The CVV of each is the one that is
 * searched for.
 */
function badCards(card: CardSecrets, given: CanaryRecords): object[] {
  const good = cardOf(card, given);
  const { number, pin, cvv } = card;
  const lastDigit = String((Number(number.at(-1)) + 1) % 10);
  return [
    { ...good, number: `${number.slice(0, -1)}${lastDigit}`, last4: `${number.slice(-4, -1)}${lastDigit}` },
    { ...good, number: `${number}x` },
    { ...good, number: Number(number), pin: Number(pin), cvv: Number(cvv) },
    { ...good, number: [number], pin: { pin }, cvv: [cvv] },
    { ...good, last4: '0001' },
    { ...good, last4: number },
    { ...good, pin: `${pin}x` },
    { ...good, pin: `${pin}${pin}` },
    { ...good, cvv: `${cvv}${cvv}` },
    { ...good, expiration: '0120' },
    { ...good, expiration: pin },
    { ...good, currency: number },
    { ...good, cardHolderId: number, accountId: pin },
    { ...good, accountId: number },
    { ...good, cardId: `${number} ${pin}` },
    { ...good, [number]: pin, [pin]: cvv },
    { ...good, type: number, status: pin, created: number },
  ];
}

/** GraphQL alone: literals, names, defaults, words of enumerations, names of operations and variables. */
function badOperations(person: Person, { number, pin, cvv }: CardSecrets): object[] {
  const { taxId, email, birthDate, governmentId } = person;
  const line = JSON.stringify(lineOf(person));
  const name = `n${taxId.replaceAll('-', '')}`;
  const input = (fields: string) =>
    `mutation { addBeneficiary(input: { accountId: ${line}, beneficiary: { name: { first: "a", last: "b" }, beneficiaryType: PRIMARY, relationship: CHILD, ${fields} } }) { beneficiary { taxId } } }`;
  const card = (fields: string) =>
    `mutation { createCard(input: { card: { currency: "USD", expiration: "1299", accountId: "x", cardHolderId: "x", cardProductId: "x", ${fields} } }) { card { number } } }`;
  const documents = [
    input(`sharePercentage: 5, taxId: ${line}`),
    input(`sharePercentage: ${line}, dateOfBirth: "${birthDate}!"`),
    input(`sharePercentage: 5, taxIdType: ${name}, emails: [{ type: ${name}, email: ${line} }]`),
    input(`sharePercentage: 5, ${name}: ${line}`),
    input(`sharePercentage: 5, addresses: [{ line1: ${line}, city: ${line}, country: ${line}, type: HOME }]`),
    input(`sharePercentage: 5, taxId: "${taxId}", taxIdType: SSN, dateOfBirth: "${birthDate}"`),
    card(`type: PHYSICAL, number: ${number}, pin: ${pin}, cvv: ${cvv}`),
    card(`type: PHYSICAL, number: "${number}", pin: "${pin}x", cvv: "${cvv}"`),
    card(`type: P${number}, number: "${number}", last4: "${pin}"`),
    `mutation { createCard(input: { card: "${number}" }) { card { number } } }`,
    `mutation { deleteBeneficiary(input: { accountId: ${line}, beneficiaryId: ${line} }) { beneficiary { taxId } } }`,
    `mutation { deleteBeneficiary(input: { id: ${line} }) { beneficiary { taxId } } }`,
    `mutation { addAccountOwners(input: { accountId: ${line}, customerIds: [${line}] }) { results { reason } } }`,
    `mutation { addAccountOwners(input: { accountId: ${line}, customerIds: ["${randomUUID()}"] }) { results { reason } } }`,
    `mutation { activateCard(input: { accountId: "${number}", cardId: "${pin}" }) { card { number } } }`,
    `{ account(accountId: "${governmentId}") { accountId } ${name} }`,
    `{ account(accountId: "${email}") { beneficiary(beneficiaryId: ${line}) { taxId } } }`,
    `query ($${name}: ID = ${line}) { account(accountId: 5, ${name}: $${name}) { accountId } }`,
    `query ($a: AccountFilter = { statuses: [${line}] }) { accounts(filter: $a) { totalCount } }`,
    `{ accounts(after: ${line}) { totalCount } transactions(filter: { minAmount: ${line}, postedFrom: ${line} }) { totalCount } }`,
    `{ account(accountId: ${line}`,
    // The parser would quote the word that it did not expect.
    `{ ${line} }`,
    `{ ${number} }`,
    `{ accounts ${pin} }`,
    `{ account(accountId: "\\q${lineOf(person)}") { accountId } }`,
    lineOf(person),
    `# ${lineOf(person)}`,
    `{ ...${name} } fragment ${name} on Query { ...${name} }`,
    `query ${name} { __typename @${name} }`,
  ];
  return [
    ...documents.map(query => ({ query })),
    { query: '{ __typename }', operationName: lineOf(person) },
    { query: `query ${name} { __typename } query b { __typename }`, operationName: `${name}2` },
    { query: '{ __typename }', variables: lineOf(person), extensions: lineOf(person) },
    {
      query: 'query ($a: ID!) { account(accountId: $a) { accountId } }',
      variables: { [name]: taxId, a: { [email]: taxId } },
    },
    { query: { [email]: taxId }, [email]: taxId },
  ];
}
