import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { givenTwo } from '../approval/waiting.js';
import { newCard } from '../support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entries, post } from '../transaction/support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const TAG = /^"\d+-[\w-]{22}"$/;
const refused = { status: 412, body: { code: 'precondition_failed' } };

async function given() {
  const of = await gateway.given.beneficiary();
  const as = gateway.as(of.caller);
  const path = `/accounts/${of.account}/beneficiaries/${of.beneficiary}`;
  const tag = (await as.rest.get(path)).headers.etag as string;
  return { ...of, ...as, as, path, tag };
}

test('a read that knows the record is answered with 304, and the tag changes with the bytes', async () => {
  const { as, account, path, tag, program, owners, caller } = await given();
  expect(tag).toMatch(TAG);
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const answer = await as.rest.get(path, { 'if-none-match': known });
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', tag]);
  }
  expect((await as.rest.get(path, { 'if-none-match': '"x"' })).status).toBe(200);
  const changed = await as.rest.patch(path, { sharePercentage: 7 }, { 'if-match': tag });
  expect(changed.headers.etag).toMatch(/^"2-/);
  expect((await as.rest.get(path)).headers.etag).toBe(changed.headers.etag);
  expect((await as.rest.get(path, { 'if-match': tag })).status).toBe(412);

  // A balance moves and the version stays: the tag is another one, and a change may still expect it.
  const before = (await as.rest.get(`/accounts/${account}`)).headers.etag as string;
  await post(
    gateway,
    { account, caller },
    entries(1, () => ({ debitCreditMemo: 'CREDIT' })),
  );
  const after = (await as.rest.get(`/accounts/${account}`)).headers.etag;
  expect(after).not.toBe(before);
  expect(after).toMatch(/^"1-/);
  expect((await as.rest.patch(`/accounts/${account}`, { interestBearing: true }, { 'if-match': before })).status).toBe(
    200,
  );

  const customer = `/customers/${owners[0]}`;
  const masked = await as.rest.get(customer);
  const whole = await gateway
    .as(await gateway.caller({ program, scopes: 'operations pii.read' }))
    .rest.get(customer, { 'if-none-match': masked.headers.etag });
  expect(whole.status).toBe(200);
  expect(whole.headers.etag).not.toBe(masked.headers.etag);
});

test('a change that expects another version is refused, and changes nothing', async () => {
  const { as, path, tag, account, owners } = await given();
  const first = await as.rest.patch(path, { sharePercentage: 7 }, { 'if-match': tag });
  const events = async () => (await gateway.sql.query('SELECT FROM event WHERE account_id = $1', [account])).rowCount;
  const count = await events();
  const current = first.headers.etag as string;
  for (const wrong of [tag, `W/${current}`, '"x"', '2', '', `${tag}, W/${current}`]) {
    expect(await as.rest.patch(path, { sharePercentage: 8 }, { 'if-match': wrong })).toMatchObject(refused);
    expect(await as.rest.delete(path, { 'if-match': wrong })).toMatchObject(refused);
  }
  for (const step of ['restrict', 'close']) {
    expect(
      await as.rest.post(`/accounts/${account}/${step}`, { reason: 'Why not' }, { 'if-match': '"9-x"' }),
    ).toMatchObject(refused);
  }
  expect(
    await as.rest.patch(`/customers/${owners[0]}`, { name: { middle: 'R' } }, { 'if-match': '"9-x"' }),
  ).toMatchObject(refused);
  expect(await events()).toBe(count);
  expect((await as.rest.get(path)).text).toBe(first.text);
  for (const right of ['*', `${tag}, ${current.replace('2-', '3-')}`]) {
    expect((await as.rest.patch(path, { sharePercentage: 9 }, { 'if-match': right })).status).toBe(200);
  }
  expect((await as.rest.delete(path, { 'if-match': '*' })).status).toBe(200);
  expect((await as.rest.delete(path, { 'if-match': '*' })).body.code).toBe('beneficiary_not_found');
});

test('GraphQL shows the version, and each change of a record may expect it', async () => {
  const { as, account, owners } = await given();
  const card = await as.rest.post('/cards/v1/cards', newCard(account, owners[0] as string, { status: 'Inactive' }));
  expect(card.headers.etag).toMatch(/^"1-/);
  const { cardId } = card.body;
  const a = `accountId: "${account}"`;
  const [ofCard, reason] = [`${a}, cardId: "${cardId}"`, `${a}, reason: "Why not"`];
  const changes = [
    `updateCustomer(input: { customerId: "${owners[0]}", patch: { name: { middle: "R" } }`,
    ...['activateCard', 'freezeCard', 'unfreezeCard', 'closeCard'].map(name => `${name}(input: { ${ofCard}`),
    `updateAccount(input: { ${a}, patch: { interestBearing: true }`,
    ...['restrictAccount', 'unrestrictAccount', 'closeAccount'].map(name => `${name}(input: { ${reason}`),
  ];
  const versions: Record<string, number> = {};
  for (const change of changes) {
    const kind = /Card|Account|Customer/.exec(change)?.[0] as string;
    const version = (versions[kind] ??= 1);
    const run = (expected: number) =>
      as.graphql(
        `mutation { done: ${change}, expectedVersion: ${expected} }) { of: ${kind.toLowerCase()} { version } } }`,
      );
    expect((await run(version + 1)).errors?.[0].extensions.code).toBe('PRECONDITION_FAILED');
    expect((await run(version)).data).toEqual({ done: { of: { version: version + 1 } } });
    versions[kind] = version + 1;
  }
  const { data } = await as.graphql(`{ account(${a}) { version card(cardId: "${cardId}") { version } } }`);
  expect(data.account).toEqual({ version: 5, card: { version: 5 } });
});

test('of changes at once that expect the same version one is made', async () => {
  const { as, path, tag } = await given();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => as.rest.patch(path, { sharePercentage: n }, { 'if-match': tag })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(7);
  expect((await as.rest.get(path)).headers.etag).toMatch(/^"2-/);
});

test('a retry under a key gets the recorded answer, whatever version it expects, and a refused one may be corrected', async () => {
  const { as, path, tag, account, beneficiary } = await given();
  const key = keyed(unique('key'));
  const stale = { ...key, 'if-match': '"7-x"' };
  expect(await as.rest.patch(path, { sharePercentage: 7 }, stale)).toMatchObject(refused);
  const first = await as.rest.patch(path, { sharePercentage: 7 }, { ...key, 'if-match': tag });
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  for (const match of [tag, first.headers.etag as string, '"7-x"']) {
    const again = await as.rest.patch(path, { sharePercentage: 7 }, { ...key, 'if-match': match });
    expect([again.status, again.text, again.headers.etag]).toEqual([200, first.text, first.headers.etag]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  }
  const query = `mutation { updateBeneficiary(input: { accountId: "${account}", beneficiaryId: "${beneficiary}", patch: { sharePercentage: 7 }, expectedVersion: 1 }) { beneficiary { version } } }`;
  expect((await as.graphql(query, {}, { headers: key })).data.updateBeneficiary.beneficiary).toEqual({ version: 2 });
});

test('the database counts what an earlier release changes, and not keys that are rotated or balances that move', async () => {
  const { as, path, account, owners, beneficiary } = await given();
  const run = (text: string, id: string | undefined) => gateway.sql.query(text, [id]);
  await run(`UPDATE beneficiary SET share_percentage = 3 WHERE beneficiary_id = $1`, beneficiary);
  await run(`UPDATE beneficiary SET sealed = sealed WHERE beneficiary_id = $1`, beneficiary);
  expect((await as.rest.get(path)).headers.etag).toMatch(/^"2-/);
  await run(`UPDATE account SET status = 'RESTRICTED' WHERE account_id = $1`, account);
  await run(`UPDATE account SET last_seq = last_seq, balance_minor = 0, held_minor = 0 WHERE account_id = $1`, account);
  expect((await as.rest.get(`/accounts/${account}`)).headers.etag).toMatch(/^"2-/);
  await run(`UPDATE customer SET sealed = sealed WHERE customer_id = $1`, owners[0]);
  expect((await as.rest.get(`/customers/${owners[0]}`)).headers.etag).toMatch(/^"1-/);
});

test('what waits for an approval fails if the account has another version by then', async () => {
  const { asker, approver, account } = await givenTwo(gateway, { closingAccounts: true });
  const tag = (await asker.rest.get(`/accounts/${account}`)).headers.etag as string;
  const close = () =>
    asker.rest.post(`/accounts/${account}/close`, { reason: 'Empty' }, { ...headers, 'if-match': tag });
  const headers = keyed(unique('key'));
  const { approvalId } = (await close()).body;
  await asker.rest.patch(`/accounts/${account}`, { interestBearing: true });
  const approved = await approver.rest.post(`/approvals/${approvalId}/approve`);
  expect(approved.body).toMatchObject({ status: 'FAILED', code: 'precondition_failed' });
  expect(await close()).toMatchObject(refused);
});

test('the time of a change is that of its version, in the answer to the change as in each read after it', async () => {
  const { as, account, beneficiary, owners } = await given();
  const { cardId } = (await as.rest.post('/cards/v1/cards', newCard(account, owners[0] as string))).body;
  const records = `account(accountId: "${account}") { version updatedAt
      card(cardId: "${cardId}") { version updatedAt } beneficiary(beneficiaryId: "${beneficiary}") { version updatedAt } }
    customer(customerId: "${owners[0]}") { version updatedAt }`;
  const a = `accountId: "${account}"`;
  const changes = [
    ['customer', `updateCustomer(input: { customerId: "${owners[0]}", patch: { name: { middle: "R" } } })`],
    [
      'beneficiary',
      `updateBeneficiary(input: { ${a}, beneficiaryId: "${beneficiary}", patch: { sharePercentage: 3 } })`,
    ],
    ['card', `freezeCard(input: { ${a}, cardId: "${cardId}" })`],
    ['account', `updateAccount(input: { ${a}, patch: { interestBearing: true } })`],
    ['account', `restrictAccount(input: { ${a}, reason: "Why not" })`],
  ] as const;
  const readAll = async () => {
    const { data } = await as.graphql<{ account: Versions; customer: Version }>(`{ ${records} }`);
    const { account: seen, customer } = data;
    const { card, beneficiary: person, ...own } = seen;
    return [customer, person, card, own, own];
  };
  for (const [index, [name, change]] of changes.entries()) {
    const before = (await readAll())[index] as Version;
    const { data } = await as.graphql<{ done: { record: Version } }>(
      `mutation { done: ${change} { record: ${name} { version updatedAt } } }`,
    );
    const { record } = data.done;
    expect(record.version).toBe(before.version + 1);
    expect(record.updatedAt >= before.updatedAt).toBe(true);
    expect((await readAll())[index]).toEqual(record);
  }
  expect((await as.rest.get(`/accounts/${account}`)).body.updatedAt).toBe((await readAll())[4]?.updatedAt);
  // What changes a record by itself leaves the time to the database.
  await gateway.sql.query(`UPDATE card SET updated_at = '2026-01-01' WHERE card_id = $1`, [cardId]);
  await gateway.sql.query(`UPDATE card SET status = 'STOLEN' WHERE card_id = $1`, [cardId]);
  expect((await readAll())[2]?.updatedAt.slice(0, 10)).not.toBe('2026-01-01');
});

interface Version {
  readonly version: number;
  readonly updatedAt: string;
}
type Versions = Version & { readonly card: Version; readonly beneficiary: Version };
