import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, USUAL_SCOPES, type TestGateway } from '../../support/gateway.js';
import { differsOnCitus } from '../../support/citus-differences.js';
import { testUnless } from '../../support/unless.js';
import { newBeneficiary, type GivenBeneficiary } from '../../support/given.js';
import { restCode } from '../../support/answers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ADD = `mutation ($account: ID!, $input: BeneficiaryInput!) { addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { beneficiaryId taxId sharePercentage } } }`;
const UPDATE = `mutation ($account: ID!, $id: ID!, $input: BeneficiaryPatch!) { updateBeneficiary(input: { accountId: $account, beneficiaryId: $id, patch: $input }) { beneficiary { beneficiaryId taxId sharePercentage } } }`;
const DELETE = `mutation ($account: ID!, $id: ID!) { deleteBeneficiary(input: { accountId: $account, beneficiaryId: $id }) { beneficiary { beneficiaryId taxId } } }`;
const OWNERS = (verb: string) =>
  `mutation ($account: ID!, $ids: [ID!]!) { ${verb}(input: { accountId: $account, customerIds: $ids }) { results { customerId ownerStatus } } }`;

interface WriteAnswer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}
type Write = (given: GivenBeneficiary & { customer: string }, key: string, token?: string) => Promise<WriteAnswer>;

const input = newBeneficiary();
const path = ({ account, beneficiary }: GivenBeneficiary) => `/accounts/${account}/beneficiaries/${beneficiary}`;
const rest = (given: GivenBeneficiary, token = given.caller) => gateway.as(token).rest;
const graphql = (given: GivenBeneficiary, key: string, document: string, variables: object, token = given.caller) =>
  gateway.as(token).graphql(document, { account: given.account, ...variables }, { headers: keyed(key) });

/** Every write of REST and GraphQL, in pairs that are the same command. */
const WRITES: Record<string, { rest: Write; graphql: Write }> = {
  'beneficiary.add': {
    rest: (given, key, token) => rest(given, token).post(`/accounts/${given.account}/beneficiaries`, input, keyed(key)),
    graphql: (given, key, token) => graphql(given, key, ADD, { input }, token),
  },
  'beneficiary.update': {
    rest: (given, key, token) =>
      rest(given, token).patch(path(given), { sharePercentage: 77, name: { middle: null } }, keyed(key)),
    graphql: (given, key, token) =>
      graphql(
        given,
        key,
        UPDATE,
        { id: given.beneficiary.toUpperCase(), input: { name: { middle: null }, sharePercentage: 77 } },
        token,
      ),
  },
  'beneficiary.delete': {
    rest: (given, key, token) => rest(given, token).delete(path(given), keyed(key)),
    graphql: (given, key, token) => graphql(given, key, DELETE, { id: given.beneficiary }, token),
  },
  'owner.add': {
    rest: (given, key, token) =>
      rest(given, token).post(
        `/accounts/${given.account}/owners/add`,
        { holders: [{ customerId: given.customer }] },
        keyed(key),
      ),
    graphql: (given, key, token) =>
      graphql(given, key, OWNERS('addAccountOwners'), { ids: [given.customer, given.customer.toUpperCase()] }, token),
  },
  'owner.remove': {
    rest: (given, key, token) =>
      rest(given, token).post(
        `/accounts/${given.account}/owners/remove`,
        { holders: [{ customerId: given.owners[0] }] },
        keyed(key),
      ),
    graphql: (given, key, token) =>
      graphql(given, key, OWNERS('removeAccountOwners'), { ids: [given.owners[0]] }, token),
  },
};

async function everything(): Promise<GivenBeneficiary & { customer: string }> {
  const given = await gateway.given.beneficiary();
  return { ...given, customer: (await gateway.given.customer({ program: given.program })).customer };
}

async function eventsOf(account: string): Promise<string[]> {
  const { rows } = await gateway.sql.query<{ action: string }>(
    'SELECT action FROM event WHERE account_id = $1 ORDER BY id',
    [account],
  );
  return rows.map(({ action }) => action);
}

/**
 * Sends it again, as a client does, while another one under its key is still at work: on a slow machine that takes a
 * while.
 */
async function untilDone(send: () => Promise<WriteAnswer>): Promise<WriteAnswer> {
  for (;;) {
    const answer = await send();
    if (!/"idempotency_in_progress"/i.test(answer.text)) return answer;
  }
}

const isReplay = ({ headers }: WriteAnswer) => headers['idempotent-replayed'] === 'true';

describe.each(Object.keys(WRITES))('%s', name => {
  const write = WRITES[name] as { rest: Write; graphql: Write };

  test.each(['rest', 'graphql'] as const)('sent fifty times at once with one key over %s is done once', async api => {
    const given = await everything();
    const key = unique('key');
    const answers = await Promise.all(Array.from({ length: 50 }, () => untilDone(() => write[api](given, key))));
    expect(answers.filter(answer => !isReplay(answer))).toHaveLength(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
    expect(answers[0]?.status).toBeLessThan(300);
    expect(await eventsOf(given.account)).toEqual([name]);
  });

  test.each([
    ['rest', 'graphql'],
    ['graphql', 'rest'],
  ] as const)('sent over %s and again over %s is done once', async (first, second) => {
    const given = await everything();
    const key = unique('key');
    const done = await write[first](given, key);
    const again = await write[second](given, key);
    const third = await write[first](given, key);
    expect([isReplay(done), isReplay(again), isReplay(third)]).toEqual([false, true, true]);
    expect([third.status, third.text]).toEqual([done.status, done.text]);
    expect(await eventsOf(given.account)).toEqual([name]);
    // The other API shows this result in its own manner.
    const [restAnswer, graphqlAnswer] = (first === 'rest' ? [done, again] : [again, done]).map(({ text }) =>
      JSON.parse(text),
    );
    const [payload] = Object.values<object>(graphqlAnswer.data) as [object];
    const customerOf = ({ customerId }: { customerId: string }) => customerId;
    if ('results' in payload) {
      expect((payload.results as { customerId: string }[]).map(customerOf)).toEqual(restAnswer.holders.map(customerOf));
    } else expect({ beneficiary: restAnswer }).toMatchObject(payload);
  });

  test('with the key of another command is refused, and nothing is done', async () => {
    for (const [other, before] of Object.entries(WRITES)) {
      if (other === name) continue;
      const given = await everything();
      const key = unique('key');
      await before.rest(given, key);
      const answer = await write.rest(given, key);
      expect([answer.status, JSON.parse(answer.text).code, isReplay(answer)]).toEqual([
        422,
        'idempotency_key_reused',
        false,
      ]);
      expect(await eventsOf(given.account)).toEqual([other]);
    }
  });

  test('is checked anew before it is replayed: a scope that is gone is 403', async () => {
    const given = await everything();
    const key = unique('key');
    await write.rest(given, key);
    const token = await gateway.caller({
      program: given.program,
      scopes: USUAL_SCOPES.filter(scope => !scope.endsWith('.write')),
    });
    const [byRest, byGraphql] = [await write.rest(given, key, token), await write.graphql(given, key, token)];
    expect([byRest.status, byGraphql.status, isReplay(byRest), isReplay(byGraphql)]).toEqual([403, 403, false, false]);
  });

  test('is checked anew before it is replayed: to a customer who lost the account it does not exist', async () => {
    // A customer's token changes no owners at all.
    if (name.startsWith('owner.')) return;
    const given = await everything();
    const key = unique('key');
    const token = await gateway.caller({
      program: given.program,
      customerId: given.owners[0] as string,
      clientId: 'app',
    });
    expect((await write.rest(given, key, token)).status).toBeLessThan(300);
    await gateway.sql.query('DELETE FROM account_owner WHERE account_id = $1', [given.account]);
    for (const answer of [await write.rest(given, key, token), await write.graphql(given, key, token)]) {
      const body = JSON.parse(answer.text);
      expect([body.code ?? restCode(body.errors[0].extensions.code), isReplay(answer)]).toEqual([
        'account_not_found',
        false,
      ]);
    }
  });
});

test('a write without a key is done each time, and nothing is said of a replay', async () => {
  const { caller, account } = await gateway.given.account();
  const plain = () => gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input);
  const answers = [await plain(), await plain()];
  expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, undefined]);
  expect(answers[0]?.body.beneficiaryId).not.toBe(answers[1]?.body.beneficiaryId);
});

describe('the same key', () => {
  test('with other input is refused, and the first input still is replayed', async () => {
    const { caller, account } = await gateway.given.account();
    const key = unique('key');
    const add = (changes: object) =>
      gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, { ...input, ...changes }, keyed(key));
    const first = await add({});
    for (const changes of [
      { sharePercentage: 41 },
      { name: { first: 'Grace', last: 'Hopper' } },
      { emails: [] },
      { emails: undefined },
      { taxId: '000000000' },
    ]) {
      expect(await add(changes)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
    // The order of fields is no difference.
    expect(await add(Object.fromEntries(Object.entries(input).reverse()))).toMatchObject({
      status: 201,
      body: first.body,
      headers: { 'idempotent-replayed': 'true', location: first.headers.location },
    });
  });

  testUnless(differsOnCitus('keyOfAnotherAccount'))('of another account is other input', async () => {
    const one = await gateway.given.account();
    const two = await gateway.given.account({ program: one.program });
    const key = keyed(unique('key'));
    expect((await gateway.as(one.caller).rest.post(`/accounts/${one.account}/beneficiaries`, input, key)).status).toBe(
      201,
    );
    expect(
      (await gateway.as(one.caller).rest.post(`/accounts/${two.account}/beneficiaries`, input, key)).body.code,
    ).toBe('idempotency_key_reused');
  });

  test('of another client, subject or program is another key', async () => {
    const { account, program, owners } = await gateway.given.account();
    const key = keyed(unique('key'));
    const foreign = await gateway.given.account();
    const callers = [
      await gateway.caller({ program }),
      await gateway.caller({ program, clientId: 'other' }),
      await gateway.caller({ program, subject: 'other' }),
      await gateway.caller({ program, customerId: owners[0] as string }),
      // Joined together these would read like those above.
      await gateway.caller({ program, clientId: 'test-client","test-client', subject: 'x' }),
      await gateway.caller({ program, clientId: `o'clock\\ ? ?? $1 %`, subject: 'été 😀' }),
    ];
    const ids = new Set<string>();
    for (const caller of callers) {
      ids.add(
        (await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input, key)).body.beneficiaryId,
      );
    }
    ids.add(
      (await gateway.as(foreign.caller).rest.post(`/accounts/${foreign.account}/beneficiaries`, input, key)).body
        .beneficiaryId,
    );
    expect(ids.size).toBe(callers.length + 1);
    const { rows } = await gateway.sql.query(
      `SELECT client_id, subject FROM event WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
      [account],
    );
    expect(rows).toEqual([{ client_id: `o'clock\\ ? ?? $1 %`, subject: 'été 😀' }]);
  });

  test('may be anything that a header can have, up to 1,024 bytes, under both headers alike', async () => {
    const { caller, account } = await gateway.given.account();
    const range = (from: number, to: number) =>
      Buffer.from(Array.from({ length: to - from + 1 }, (_, at) => from + at));
    const texts = [
      range(0x21, 0x7e),
      range(0x80, 0xff),
      Buffer.from('order 17 of\t2026-03-31, a:1'),
      Buffer.from(`${unique('Bestellung für Zoë')} 😀`),
      Buffer.from('x'.repeat(1024)),
      Buffer.from('é'.repeat(512)),
      Buffer.from(unique('?\\\'";--')),
    ];
    const answered = new Set<string>();
    for (const text of texts) {
      const key = text.toString('latin1');
      const add = (headers: Record<string, string>) =>
        gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input, headers);
      const first = await add({ 'x-idempotency-key': key });
      expect([first.status, isReplay(first)]).toEqual([201, false]);
      answered.add(first.text);
      expect((await add({ 'idempotency-key': key })).text).toBe(first.text);
      expect((await add({ 'idempotency-key': key, 'x-idempotency-key': key })).text).toBe(first.text);
      // White space around it is none of it (RFC 9110, section 5.5).
      expect((await add({ 'x-idempotency-key': ` \t${key}  ` })).text).toBe(first.text);
      const byGraphql = await gateway.as(caller).graphql(ADD, { account, input }, { headers: keyed(key) });
      expect([byGraphql.data.addBeneficiary.beneficiary.beneficiaryId, isReplay(byGraphql)]).toEqual([
        first.body.beneficiaryId,
        true,
      ]);
    }
    expect(answered.size).toBe(texts.length);
  });

  test('is the content of a quoted Idempotency-Key, and X-Idempotency-Key as it is', async () => {
    const { caller, account } = await gateway.given.account();
    const add = (headers: Record<string, string>) =>
      gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input, headers);
    const name = unique('quoted');
    for (const [quoted, content] of [
      [`"${name}"`, name],
      [`"say \\"${name}\\" \\\\"`, `say "${name}" \\`],
      [`"${'x'.repeat(1024 - name.length)}${name}"`, `${'x'.repeat(1024 - name.length)}${name}`],
    ] as const) {
      const first = await add({ 'idempotency-key': quoted });
      expect([first.status, isReplay(first)]).toEqual([201, false]);
      const alike: Record<string, string>[] = [
        { 'idempotency-key': quoted, 'x-idempotency-key': content },
        { 'x-idempotency-key': content },
      ];
      for (const headers of alike) {
        expect((await add(headers)).text).toBe(first.text);
      }
      if (quoted.length > 1024) continue;
      const other = await add({ 'x-idempotency-key': quoted });
      expect([other.status, isReplay(other)]).toEqual([201, false]);
    }
    // What is no string of RFC 9651 is taken as it is.
    for (const text of [`"${name}`, `${name}"`, `"${name}"x"`, `"é${name}"`, String.raw`"\${name}"`]) {
      const key = Buffer.from(text).toString('latin1');
      const first = await add({ 'idempotency-key': key });
      expect([first.status, isReplay(first)]).toEqual([201, false]);
      expect((await add({ 'x-idempotency-key': key })).text).toBe(first.text);
    }
    const refused = [await add({ 'idempotency-key': '""' }), await add({ 'idempotency-key': `"${'x'.repeat(1025)}"` })];
    expect(refused.map(({ status }) => status)).toEqual([400, 400]);
  });
});

describe('recorded refusals', () => {
  const withoutId = ({ text }: { text: string }) => text.replace(/"requestId":"[^"]*"/, '');

  test('an account that was not there stays not there under its key', async () => {
    const program = gateway.given.program();
    const caller = await gateway.caller({ program });
    const key = unique('key');
    const account = unique('late');
    const add = () => gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input, keyed(key));
    const first = await add();
    expect([first.status, first.body.code, isReplay(first)]).toEqual([404, 'account_not_found', false]);
    await gateway.given.account({ accountId: account, program });
    const again = await add();
    expect([again.status, isReplay(again), withoutId(again)]).toEqual([404, true, withoutId(first)]);
    const other = await gateway.as(caller).graphql(ADD, { account, input }, { headers: keyed(key) });
    expect([other.errors?.[0].extensions.code, isReplay(other)]).toEqual(['ACCOUNT_NOT_FOUND', true]);
  });

  test('a full account stays full under its key', async () => {
    const account = await gateway.given.account();
    const ids = await gateway.given.beneficiaries(account, 100);
    const key = unique('key');
    const add = (each = key) =>
      gateway.as(account.caller).rest.post(`/accounts/${account.account}/beneficiaries`, input, keyed(each));
    const first = await add();
    expect([first.status, first.body.code]).toEqual([409, 'too_many_beneficiaries']);
    await gateway.as(account.caller).rest.delete(`/accounts/${account.account}/beneficiaries/${ids[0]}`);
    const again = await add();
    expect([again.status, isReplay(again), withoutId(again)]).toEqual([409, true, withoutId(first)]);
    expect((await add(unique('key'))).status).toBe(201);
  });

  test('a retry of a conflict is checked anew: to a customer who lost the account it does not exist', async () => {
    const account = await gateway.given.account();
    await gateway.given.beneficiaries(account, 100);
    const add = () => gateway.as(account.caller).rest.post(list, input, key);
    const [list, key] = [`/accounts/${account.account}/beneficiaries`, keyed(unique('key'))];
    expect((await add()).status).toBe(409);
    await gateway.sql.query(`UPDATE account SET program = 'elsewhere' WHERE account_id = $1`, [account.account]);
    expect(await add()).toMatchObject({ status: 404, body: { code: 'account_not_found' } });
  });

  test('nothing of a refused command but the refusal is left', async () => {
    const account = await gateway.given.account();
    const before = await gateway.rows();
    const gone = `/accounts/${account.account}/beneficiaries/7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`;
    expect((await gateway.as(account.caller).rest.delete(gone, keyed(unique('key')))).status).toBe(404);
    expect(await gateway.rows()).toEqual({ ...before, idempotency_key: (before['idempotency_key'] ?? 0) + 1 });
  });

  test('a rule that only the record on file tells is not recorded, over either API, and the key is free', async () => {
    for (const api of ['rest', 'graphql'] as const) {
      const given = await gateway.given.beneficiary({ taxId: '123456789' });
      const key = unique('key');
      const before = await gateway.rows();
      const patch = async (taxId: string): Promise<WriteAnswer & { code?: string }> => {
        if (api === 'rest') {
          const answer = await rest(given).patch(path(given), { taxId }, keyed(key));
          return { ...answer, code: answer.body.errors?.[0].code };
        }
        const answer = await graphql(given, key, UPDATE, { id: given.beneficiary, input: { taxId } });
        return { ...answer, code: answer.errors?.[0].extensions.errors?.[0]?.code };
      };
      for (let time = 0; time < 2; time++) {
        const refused = await patch('*****1111');
        expect([refused.code, isReplay(refused)]).toEqual(['masked', false]);
      }
      expect(await gateway.rows()).toEqual(before);
      const corrected = await patch('999991111');
      expect([corrected.status, corrected.code, isReplay(corrected)]).toEqual([200, undefined, false]);
      expect(isReplay(await patch('999991111'))).toBe(true);
      expect((await patch('999991112')).text).toMatch(/"idempotency_key_reused"/i);
    }
  });

  test.each([
    ['malformed input', 400, { sharePercentage: 'x' }, {}],
    ['a rule that the input alone breaks', 422, { sharePercentage: 101 }, {}],
    ['a missing scope', 403, {}, { scopes: 'accounts.read' }],
    ['a bad token', 401, {}, { ttlSeconds: -3600 }],
  ])('%s is not recorded, so the key is free for the right request', async (_what, status, changes, order) => {
    const { caller, account, program } = await gateway.given.account();
    const key = keyed(unique('key'));
    const before = await gateway.rows();
    const refused = await gateway
      .as(await gateway.caller({ program, ...order }))
      .rest.post(`/accounts/${account}/beneficiaries`, { ...input, ...changes }, key);
    expect(refused.status).toBe(status);
    expect(await gateway.rows()).toEqual(before);
    const done = await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input, key);
    expect([done.status, isReplay(done)]).toEqual([201, false]);
  });
});

describe('an operation with several writes', () => {
  const BOTH = `mutation ($account: ID!, $input: BeneficiaryInput!) {
    one: addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { beneficiaryId } }
    two: addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { beneficiaryId } }
  }`;

  test('has a key for each of them, and a retry replays each', async () => {
    const { caller, account } = await gateway.given.account();
    const key = unique('key');
    const send = (document = BOTH) => gateway.as(caller).graphql(document, { account, input }, { headers: keyed(key) });
    const first = await send();
    expect(first.data.one.beneficiary.beneficiaryId).not.toBe(first.data.two.beneficiary.beneficiaryId);
    const again = await send();
    expect([again.data, isReplay(first), isReplay(again)]).toEqual([first.data, false, true]);
    expect(await eventsOf(account)).toEqual(['beneficiary.add', 'beneficiary.add']);
  });

  test('has keys of their places: a retry that only renames, or writes them in fragments, is a retry', async () => {
    const { caller, account } = await gateway.given.account();
    const key = unique('key');
    const send = (document: string, variables = {}) =>
      gateway.as(caller).graphql(document, { account, input, ...variables }, { headers: keyed(key) });
    const first = await send(BOTH);
    const [one, two] = [first.data.one, first.data.two];
    const head = 'mutation ($account: ID!, $input: BeneficiaryInput!)';
    const add = 'addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { beneficiaryId } }';
    for (const [document, names] of [
      [`${head} { b: ${add} a: ${add} }`, ['b', 'a']],
      [`${head} { ${add} other: ${add} }`, ['addBeneficiary', 'other']],
      [`${head} { one: ${add} one: ${add} two: ${add} }`, ['one', 'two']],
      [`${head} { ...F two: ${add} ...F } fragment F on Mutation { ... { one: ${add} } }`, ['one', 'two']],
      [`${head} { ...F ...G } fragment G on Mutation { y: ${add} } fragment F on Mutation { x: ${add} }`, ['x', 'y']],
    ] as const) {
      const again = await send(document);
      expect([again.data, isReplay(again)]).toEqual([{ [names[0]]: one, [names[1]]: two }, true]);
    }
    expect(await eventsOf(account)).toHaveLength(2);
  });

  test('keeps the place of a field that a directive leaves out, so that what is done may be left out', async () => {
    const { caller, account } = await gateway.given.account();
    const key = unique('key');
    const document = `mutation ($account: ID!, $input: BeneficiaryInput!, $first: Boolean!, $others: Boolean!) {
      one: addBeneficiary(input: { accountId: $account, beneficiary: $input }) @include(if: $first) { beneficiary { beneficiaryId } }
      ... @skip(if: $others) { two: addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { beneficiaryId } } }
      three: addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { beneficiaryId } }
    }`;
    const send = (first: boolean, others: boolean) =>
      gateway.as(caller).graphql(document, { account, input, first, others }, { headers: keyed(key) });
    const all = await send(true, false);
    const [last, last2, middle] = [await send(false, true), await send(false, true), await send(false, false)];
    expect([last.data, last2.data]).toEqual([{ three: all.data.three }, { three: all.data.three }]);
    expect(middle.data).toEqual({ two: all.data.two, three: all.data.three });
    expect([last, last2, middle].every(isReplay)).toBe(true);
    expect(await eventsOf(account)).toHaveLength(3);
  });

  test('has keys that no single write can have', async () => {
    const { caller, account } = await gateway.given.account();
    const key = unique('key');
    const first = await gateway.as(caller).graphql(BOTH, { account, input }, { headers: keyed(key) });
    for (const other of [`${key}:1`, `${key}:one`, `${key},1`, `${key}",1`]) {
      const single = await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input, keyed(other));
      expect([single.status, isReplay(single)]).toEqual([201, false]);
      expect([first.data.one.beneficiary.beneficiaryId, first.data.two.beneficiary.beneficiaryId]).not.toContain(
        single.body.beneficiaryId,
      );
    }
  });

  test('refuses a key that was used for another number of writes, and writes nothing', async () => {
    const head = 'mutation ($account: ID!, $input: BeneficiaryInput!)';
    const add = 'addBeneficiary(input: { accountId: $account, beneficiary: $input })';
    const of = 'beneficiary { beneficiaryId }';
    const documents = {
      1: `${head} { one: ${add} { ${of} } }`,
      2: BOTH,
      3: `${head} { zero: ${add} @include(if: false) { ${of} } one: ${add} { ${of} } two: ${add} { ${of} } }`,
    } as const;
    for (const [before, after] of [
      [1, 2],
      [1, 3],
      [2, 1],
      [2, 3],
      [3, 1],
      [3, 2],
    ] as const) {
      const { caller, account } = await gateway.given.account();
      const key = unique('key');
      const send = (writes: 1 | 2 | 3) =>
        gateway.as(caller).graphql(documents[writes], { account, input }, { headers: keyed(key) });
      const first = await send(before);
      const written = await eventsOf(account);
      const refused = await send(after);
      const codes = refused.errors?.map(({ extensions }) => restCode(extensions.code));
      expect([before, after, new Set(codes), isReplay(refused)]).toEqual([
        before,
        after,
        new Set(['idempotency_key_reused']),
        false,
      ]);
      expect(await eventsOf(account)).toEqual(written);
      const again = await send(before);
      expect([again.data, isReplay(again)]).toEqual([first.data, true]);
    }
  });

  test('and a single write over REST refuse the key of each other, also when both are sent at once', async () => {
    const { caller, account } = await gateway.given.account();
    const key = keyed(unique('key'));
    const several = () => gateway.as(caller).graphql(BOTH, { account, input }, { headers: key });
    const single = () => gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input, key);
    const [both, one] = await Promise.all([several(), untilDone(single)]);
    const [isBoth, isOne] = [!both.errors, !one.text.includes('idempotency_key_reused')];
    expect(isBoth).toBe(!isOne);
    expect(await eventsOf(account)).toHaveLength(isBoth ? 2 : 1);
    expect((await single()).text.includes('idempotency_key_reused')).toBe(isBoth);
  });

  test('that was cut in the middle goes on where it was', async () => {
    const { caller, account } = await gateway.given.account();
    const key = unique('key');
    const cut = BOTH.replace(/(?= \{ beneficiary \{ beneficiaryId \} \}\n {2}\}$)/, ' @include(if: false)');
    const one = await gateway.as(caller).graphql(cut, { account, input }, { headers: keyed(key) });
    expect(Object.keys(one.data)).toEqual(['one']);
    const { data, headers } = await gateway.as(caller).graphql(BOTH, { account, input }, { headers: keyed(key) });
    expect([data.one, headers['idempotent-replayed']]).toEqual([one.data.one, undefined]);
    expect(await eventsOf(account)).toHaveLength(2);
  });

  test('counts writes in fragments, and __typename for none', async () => {
    const { caller, account } = await gateway.given.account();
    const key = unique('key');
    const fragment =
      'fragment add on Mutation { addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { beneficiaryId } } }';
    const head = 'mutation ($account: ID!, $input: BeneficiaryInput!)';
    const first = await gateway
      .as(caller)
      .graphql(
        `${head} { __typename ...add ... on Mutation { ...add } } ${fragment}`,
        { account, input },
        { headers: keyed(key) },
      );
    const again = await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input, keyed(key));
    expect([again.body.beneficiaryId, isReplay(again)]).toEqual([
      first.data.addBeneficiary.beneficiary.beneficiaryId,
      true,
    ]);
  });
});
