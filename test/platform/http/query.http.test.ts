import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import type { GivenBeneficiary } from '../../support/given.js';

let gateway: TestGateway;
let given: GivenBeneficiary;
beforeAll(async () => {
  gateway = await startTestGateway();
  given = await gateway.given.beneficiary();
});
afterAll(() => gateway.stop());

const LISTS = ['beneficiaries', 'transactions', 'statements'];
const get = (path: string) => gateway.as(given.caller).rest.get(`/accounts/${given.account}/${path}`);

describe('an unknown query parameter', () => {
  test.each(LISTS)('of %s is named by its pointer', async list => {
    const { status, body } = await get(`${list}?limit=3&colour=red&status2=1`);
    expect([status, body.code]).toEqual([400, 'invalid_input']);
    const known = expect.stringMatching(
      /^This query parameter is unknown\. The known parameters are: offSet, offset, limit/,
    );
    expect(body.errors).toEqual([
      { pointer: '/colour', code: 'unknown_parameter', detail: known },
      { pointer: '/status2', code: 'unknown_parameter', detail: known },
    ]);
  });

  test('of a route that takes none is named, too', async () => {
    const { status, body } = await get(`beneficiaries/${given.beneficiary}?fields=name`);
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          pointer: '/fields',
          code: 'unknown_parameter',
          detail: 'This query parameter is unknown. The known parameters are: none.',
        },
      ],
    ]);
  });

  test('that may be personal is not told', async () => {
    for (const name of ['123-45-6789', 'Ada Lovelace', 'a@b.example', '4111111111111111', '/../x', '%22']) {
      const { status, body, text } = await get(`beneficiaries?${encodeURIComponent(name)}=1`);
      expect([name, status, body.errors[0].pointer]).toEqual([name, 400, '']);
      expect(text).not.toContain(name);
    }
  });
});

describe('the page', () => {
  test.each([
    ['limit=0', '/limit', 'limit must be 1 or more; more than 100 means 100.'],
    ['limit=-1', '/limit', 'limit must be 1 or more; more than 100 means 100.'],
    ['limit=ten', '/limit', 'limit must be 1 or more; more than 100 means 100.'],
    ['limit=', '/limit', 'limit must be 1 or more; more than 100 means 100.'],
    ['limit=1.5', '/limit', 'limit must be 1 or more; more than 100 means 100.'],
    ['offSet=-1', '/offSet', 'offSet must be between 0 and 2147483647.'],
    ['offset=2147483648', '/offset', 'offset must be between 0 and 2147483647.'],
    ['offSet=1e3', '/offSet', 'offSet must be between 0 and 2147483647.'],
  ])('%s is refused, and says what more than the largest means', async (query, pointer, detail) => {
    for (const list of LISTS) {
      const { status, body } = await get(`${list}?${query}`);
      expect([list, status, body.errors]).toEqual([list, 400, [{ pointer, code: 'range', detail }]]);
    }
  });

  test('of any size beyond 100 is one of 100', async () => {
    for (const limit of ['101', '2147483648', '9'.repeat(40)]) {
      for (const list of LISTS) expect([list, (await get(`${list}?limit=${limit}`)).status]).toEqual([list, 200]);
    }
  });

  test('of GraphQL says how many elements it may have, where it was cut as well', async () => {
    const page = async (args: string) => {
      const query = `{ account(accountId: "${given.account}") { transactions(${args}) { limit } } }`;
      return (await gateway.as(given.caller).graphql(query)).data.account.transactions.limit;
    };
    expect([
      await page('first: 500'),
      await page('last: 101'),
      await page('first: 7'),
      await page('after: null'),
    ]).toEqual([100, 100, 7, 10]);
  });

  test.each([
    ['first: 0', '/first', 'first must be 1 or more; more than 100 means 100.'],
    ['last: 0', '/last', 'last must be 1 or more; more than 100 means 100.'],
  ])('of GraphQL, %s, is refused in the same words', async (args, pointer, detail) => {
    const { text } = await gateway
      .as(given.caller)
      .graphql(`{ account(accountId: "${given.account}") { transactions(${args}) { nodes { transactionId } } } }`);
    expect(JSON.parse(text).errors[0].extensions.errors).toEqual([{ pointer, code: 'range', detail }]);
  });
});

describe('a caller without the scope', () => {
  const path = (of: string) => `/accounts/${given.account}/${of}`;

  test('is told of the scope before what is wrong with the query and the body', async () => {
    const { rest } = gateway.as(await gateway.caller({ scopes: 'accounts.read' }));
    const answers = [
      await rest.get(path('holds?colour=red')),
      await rest.get(path('beneficiaries?limit=0')),
      await rest.get(path('transactions?format=paper')),
      await rest.get(path('Statements/none?colour=red')),
      await rest.post(path('holds?dryRun=perhaps'), { colour: 'red' }),
      await rest.post(path('beneficiaries'), { colour: 'red' }),
      await rest.delete(path(`beneficiaries/${given.beneficiary}`)),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [403, 'insufficient_scope']),
    );
  });

  test('is told of an unknown parameter first where no parameter is known', async () => {
    const { rest } = gateway.as(await gateway.caller({ scopes: 'accounts.read' }));
    const answers = [
      await rest.get(path('holds/none?colour=red')),
      await rest.post(path('beneficiaries?colour=red'), { colour: 'red' }),
    ];
    expect(answers.map(({ status, body }) => [status, body.errors[0].code])).toEqual(
      answers.map(() => [400, 'unknown_parameter']),
    );
  });

  test('is told that a path is unknown where another word is in the place of the type of a document', async () => {
    const { rest } = gateway.as(await gateway.caller({ scopes: 'accounts.read' }));
    for (const { status, body } of [await rest.get(path('paper/none')), await rest.post(path('paper/none'), {})]) {
      expect([status, body.code]).toEqual([404, 'route_not_found']);
    }
  });
});
